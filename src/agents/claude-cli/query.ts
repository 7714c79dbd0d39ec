import type { ClaudeSdk, Query, SdkMessage } from "../claude/sdk.ts";
import { toArguments } from "./arguments.ts";
import { ClaudeProcess } from "./claude-process.ts";
import { Control } from "./control.ts";
import { newPromptId } from "./prompt-id.ts";
import { Unanswered } from "./unanswered.ts";

/** Does with the command what the SDK's `query` does. */
export function startQuery(
  command: string,
  more: string[],
  { prompt, options }: Parameters<ClaudeSdk["query"]>[0],
): Query {
  const { cwd, env, systemPrompt } = options;
  const claude = new ClaudeProcess([command, ...toArguments(options, more)], { cwd, env });
  const control = new Control(options, (message) => claude.write(message));
  const unanswered = new Unanswered(() => claude.endInput());
  let isClosed = false;

  async function feed(): Promise<void> {
    for await (const message of prompt) claude.write({ ...message, uuid: newPromptId() });
    unanswered.noMore();
  }

  async function* messages(): AsyncGenerator<SdkMessage> {
    let hasResult = false;
    for await (const message of claude.messages()) {
      if (control.take(message)) continue;
      unanswered.take(message);
      hasResult ||= message["type"] === "result";
      yield message as unknown as SdkMessage;
    }
    const end = await claude.exited;
    if (!hasResult && !isClosed) throw new Error(withoutAnswer(end, claude.lastWords));
  }

  const said = messages();
  void claude.exited.catch(() => {}).finally(() => control.close());
  // By this way it stands on no command line.
  tell({ subtype: "initialize", appendSystemPrompt: systemPrompt.append });
  void feed();
  return {
    [Symbol.asyncIterator]: () => said,
    interrupt: () => control.request({ subtype: "interrupt" }),
    async setPermissionMode(mode) {
      await control.request({ subtype: "set_permission_mode", mode });
    },
    async setModel(model) {
      await control.request({ subtype: "set_model", model });
    },
    close() {
      isClosed = true;
      claude.stop();
    },
  };

  /** A Claude Code that is too old to know it goes on without. */
  function tell(request: { subtype: string; appendSystemPrompt: string | undefined }): void {
    control.request(request).catch(() => {});
  }
}

function withoutAnswer(end: number | NodeJS.Signals, lastWords: string): string {
  const how = typeof end === "number" ? `exit code ${end}` : end;
  const said = lastWords === "" ? "." : `: ${lastWords}`;
  return `Claude Code ended with ${how} before it had answered${said}`;
}

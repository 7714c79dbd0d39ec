import type { Writable } from "node:stream";
import type { ClaudeSdk, Initialized, Query, SdkMessage } from "../claude/sdk.ts";
import { type CliEnd, howItEnded, lastWords } from "../cli/how-it-ended.ts";
import { objectsOf } from "../cli/json-lines.ts";
import { type CliProcess, startCli } from "../cli/process.ts";
import { toArguments } from "./arguments.ts";
import { Control } from "./control.ts";
import { Unanswered } from "./unanswered.ts";

/** Does with the command what the SDK's `query` does. */
export function startQuery(
  command: string,
  more: string[],
  { prompt, options }: Parameters<ClaudeSdk["query"]>[0],
): Query {
  const { cwd, env, systemPrompt } = options;
  const stop = new AbortController();
  const started = start();
  const ended = started.then((claude) => claude.ended);
  const write = (message: object) =>
    toInput((input) => input.write(`${JSON.stringify(message)}\n`));
  // When nothing more will be said to it, it ends as soon as it has answered.
  const endInput = () => toInput((input) => input.end());
  const control = new Control(options, write);
  const unanswered = new Unanswered(endInput);

  async function start(): Promise<CliProcess> {
    const args = toArguments(options, more);
    // Its commands are in sessions of their own: SIGTERM lets it end them first.
    return startCli({ command, args, cwd, env, whenForsaken: "TERM", signal: stop.signal });
  }

  /** What cannot be written any more need not be: who reads on is told how it ended. */
  function toInput(use: (input: Writable) => void): void {
    started.then(
      ({ input }) => input.writable && use(input),
      () => {},
    );
  }

  async function feed(): Promise<void> {
    for await (const message of prompt) write(message);
    unanswered.noMore();
  }

  async function* messages(): AsyncGenerator<SdkMessage> {
    let hasResult = false;
    for await (const message of objectsOf((await started).lines)) {
      if (control.take(message)) continue;
      unanswered.take(message);
      hasResult ||= message["type"] === "result";
      yield message as unknown as SdkMessage;
    }
    const end = await ended;
    if (!hasResult && !stop.signal.aborted) throw new Error(withoutAnswer(end));
  }

  const said = messages();
  void ended.catch(() => {}).finally(() => control.close());
  // By this way it stands on no command line. A Claude Code too old to know it goes on without.
  const { append: appendSystemPrompt } = systemPrompt;
  const initialized = control.request({ subtype: "initialize", appendSystemPrompt });
  initialized.catch(() => {});
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
    initializationResult: () => initialized as Promise<Initialized>,
    close() {
      endInput();
      stop.abort();
    },
  };
}

function withoutAnswer(end: CliEnd): string {
  return `Claude Code ${howItEnded(end)} before it had answered${lastWords(end.errors)}`;
}

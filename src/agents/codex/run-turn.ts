import { stat } from "node:fs/promises";
import type { Turn, TurnEnd } from "../../core/index.ts";
import { type CliEnd, findCommand, startCli } from "../cli-process.ts";
import { toArguments } from "./arguments.ts";
import { parseEvent } from "./events.ts";
import type { CodexSettings } from "./options.ts";
import { Transcript } from "./transcript.ts";

/** One turn: a process of Codex that goes on with the session's conversation and ends with it. */
export async function runTurn(settings: CodexSettings, turn: Turn): Promise<TurnEnd> {
  const cwd = turn.cwd ?? settings.cwd;
  const env = await turn.environment(settings.env);
  const command = await findCommand(settings.command, env["PATH"]);
  if (command === undefined) return failed("agent_unavailable", missingSentence(settings.command));
  if (!(await isFolder(cwd))) {
    return failed("agent_failed", `The folder ${cwd} does not exist. Make it, or choose another.`);
  }

  const transcript = new Transcript(turn, settings.home);
  await transcript.readBack();
  const { model, systemPrompt } = turn;
  const { threadId } = transcript;
  const stop = new AbortController();
  const process = await startCli({
    command,
    args: toArguments({
      settings,
      env,
      ...(model === undefined ? {} : { model }),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(threadId === undefined ? {} : { threadId }),
    }),
    cwd,
    env,
    input: turn.message.text,
    signal: AbortSignal.any([turn.signal, stop.signal]),
  });
  try {
    for await (const line of process.lines) {
      const event = parseEvent(line);
      if (event) await transcript.take(event);
    }
  } finally {
    // It has ended, unless what it said could not be taken.
    stop.abort();
  }
  const end = await process.ended;
  if (turn.signal.aborted) return { status: "completed" };
  await transcript.finish();
  const { failed: why, complaint } = transcript;
  if (why !== undefined) return failed("agent_failed", `Codex could not finish: ${why}`);
  if (end.exitCode === 0) return { status: "completed" };
  return failed("agent_failed", failureSentence(end, complaint));
}

function missingSentence(command: string): string {
  return (
    `The agent "codex" needs the Codex CLI, and there is no command "${command}". Install it with: ` +
    "npm install -g @openai/codex"
  );
}

function failureSentence({ exitCode, signal, errors }: CliEnd, complaint?: string): string {
  if (errors.includes("no rollout found")) {
    return "Codex no longer has the conversation of this session. Start another session.";
  }
  const how = signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
  const lines = complaint ?? errors.split("\n").slice(-5).join("\n");
  return `Codex ended ${how}${lines === "" ? " and gave no reason." : `: ${lines}`}`;
}

function failed(code: string, message: string): TurnEnd {
  return { status: "failed", error: { code, message } };
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

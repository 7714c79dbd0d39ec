import type { Turn, TurnEnd } from "../../core/index.ts";
import { checkFolder } from "../cli/check-folder.ts";
import { findCommand } from "../cli/find-command.ts";
import { type CliEnd, howItEnded, lastWords } from "../cli/how-it-ended.ts";
import { objectsOf } from "../cli/json-lines.ts";
import { withOurNames } from "../cli/our-tools.ts";
import { startCli } from "../cli/process.ts";
import { toArguments } from "./arguments.ts";
import { isEvent } from "./events.ts";
import { type CodexSettings, codexCommand } from "./options.ts";
import { Transcript } from "./transcript.ts";

/** One turn: a process of Codex that goes on with the session's conversation and ends with it. */
export async function runTurn(settings: CodexSettings, given: Turn): Promise<TurnEnd> {
  const turn = await withOurNames(given, settings.env);
  const cwd = turn.cwd ?? settings.cwd;
  const env = await turn.environment(settings.env);
  const command = await findCommand(codexCommand(settings));
  await checkFolder(cwd);

  const transcript = new Transcript(turn, settings);
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
    // At any other it would end before its history is in order.
    whenForsaken: "INT",
    signal: AbortSignal.any([turn.signal, stop.signal]),
  });
  process.input.end(turn.message.text);
  try {
    for await (const message of objectsOf(process.lines)) {
      if (isEvent(message)) await transcript.take(message);
    }
  } finally {
    // It has ended, unless what it said could not be taken.
    stop.abort();
  }
  const end = await process.ended;
  if (turn.signal.aborted) return { status: "completed" };
  await transcript.finish();
  const { failed: why, complaint } = transcript;
  if (why !== undefined) return failed(`Codex could not finish: ${why}`);
  if (end.exitCode === 0) return { status: "completed" };
  return failed(failureSentence(end, complaint));
}

function failureSentence(end: CliEnd, complaint?: string): string {
  if (end.errors.includes("no rollout found")) {
    return "Codex no longer has the conversation of this session. Start another session.";
  }
  return `Codex ${howItEnded(end)}${lastWords(complaint ?? end.errors)}`;
}

function failed(message: string): TurnEnd {
  return { status: "failed", error: { code: "agent_failed", message } };
}

import { visibleText } from "../../client/index.ts";
import { type InteractionRecord, LIMITS } from "../../protocol/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { printText } from "../print-text.ts";
import type { Connection } from "../server/connection.ts";
import { promptPath } from "../server/paths.ts";
import { answerLines, outcomeOf, toJson } from "./outcome.ts";

/** A reply to a poll comes after a minute at the latest; a line that says nothing then is broken. */
const SILENT_MS = (LIMITS.waitMaxSeconds + 30) * 1_000;
/** No timer of Node's is longer. */
const LONGEST_MS = 2 ** 31 - 1;

/** A signal that aborts when the time is over. */
export function after(ms: number): AbortSignal {
  return ms > LONGEST_MS ? new AbortController().signal : AbortSignal.timeout(ms);
}

export function findPrompt(
  connection: Connection,
  id: string,
  signal?: AbortSignal,
): Promise<InteractionRecord> {
  return connection.get(promptPath(id), { signal, timeoutMs: SILENT_MS });
}

/** Waits until a prompt is no longer open; when a signal aborts, it is given back as it was. */
export async function untilEnded(
  connection: Connection,
  prompt: InteractionRecord,
  signal: AbortSignal,
): Promise<InteractionRecord> {
  const path = `${promptPath(prompt.id)}?wait=${LIMITS.waitMaxSeconds}`;
  let now = prompt;
  try {
    while (now.status === "pending" && !signal.aborted) {
      now = await connection.get(path, { signal, timeoutMs: SILENT_MS });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return now;
}

/** Prints what became of a prompt, and ends the command with what that means. */
export function report(io: Io, prompt: InteractionRecord, json = false): void {
  if (json) io.out(JSON.stringify(toJson(prompt)));
  else for (const line of answerLines(prompt)) printText(io, line);
  const { exitCode, words } = outcomeOf(prompt);
  if (exitCode !== EXIT.ok) throw new CommandFailure(visibleText(words), exitCode);
  io.err(visibleText(words));
}

/** Somebody stopped waiting; the prompt does not mind. */
export function reportInterrupted(io: Io, prompt: InteractionRecord, json = false): never {
  if (json) io.out(JSON.stringify(toJson(prompt)));
  const { id } = prompt;
  throw new CommandFailure(
    `Interrupted. The prompt stays open: go on with "beckon wait ${id}", or withdraw it with ` +
      `"beckon cancel ${id}".`,
    EXIT.interrupted,
  );
}

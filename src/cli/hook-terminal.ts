import { setTimeout as sleep } from "node:timers/promises";
import { DECIDED_IN_TERMINAL, type TerminalEnd, TerminalTranscript } from "../agents/index.ts";
import { askServer, type HookQuestion } from "./ask-server.ts";
import type { Io } from "./io.ts";

const LOOK_MS = 250;

/** A permission that Claude Code asks for in its terminal too, and does not tell its hook about. */
export interface TerminalAsk {
  transcript: TerminalTranscript;
  /** What our hook was given, with the id of the use of the tool. */
  posted: Record<string, unknown>;
}

/** What our hook was given, if somebody may decide about it in a terminal too. */
export async function inTerminal(
  posted: Record<string, unknown>,
): Promise<TerminalAsk | undefined> {
  const { hook_event_name, transcript_path, tool_name, tool_input, tool_use_id } = posted;
  if (hook_event_name !== "PermissionRequest") return undefined;
  if (typeof transcript_path !== "string" || typeof tool_name !== "string") return undefined;
  const transcript = new TerminalTranscript(transcript_path, {
    toolName: tool_name,
    input: tool_input,
    id: typeof tool_use_id === "string" ? tool_use_id : undefined,
  });
  await transcript.look();
  const { useId } = transcript;
  return { transcript, posted: useId === undefined ? posted : { ...posted, tool_use_id: useId } };
}

/** Follows the transcript until somebody has decided in the terminal; not any more after the signal. */
export async function untilDecided(
  { transcript }: TerminalAsk,
  signal: AbortSignal,
): Promise<TerminalEnd> {
  while (!transcript.end) {
    await sleep(LOOK_MS, undefined, { signal });
    await transcript.look();
  }
  return transcript.end;
}

/**
 * Tells the server what was decided in the terminal, so that it lets go what was asked under the same
 * id. What has not been asked yet is waited for.
 */
export async function tellDecided(
  io: Io,
  { posted: { session_id, tool_name } }: TerminalAsk,
  end: TerminalEnd,
  question: Omit<HookQuestion, "body"> & { signal: AbortSignal },
): Promise<void> {
  const body = JSON.stringify({
    hook_event_name: DECIDED_IN_TERMINAL,
    session_id,
    tool_name,
    end,
  });
  for (;;) {
    const { closed } = (await askServer(io, { ...question, body })) as { closed?: unknown };
    if (closed === true) return;
    await sleep(LOOK_MS, undefined, { signal: question.signal });
  }
}

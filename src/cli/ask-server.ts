import { randomUUID } from "node:crypto";
import { TransportError } from "../transport/index.ts";
import { after } from "./ask/follow.ts";
import { HOOK_TOKEN } from "./hook-token.ts";
import type { Io } from "./io.ts";
import { Connection, NOT_BECKON } from "./server/connection.ts";

export interface HookQuestion {
  agent: string;
  /** As the agent gave it. */
  body: string;
  /** Where the server and its token are, unless the environment says so. */
  data: string;
  /** How long people have; it may be `Infinity`. @default as the server decides */
  timeoutMs?: number;
  /** Under which it is asked. @default one of its own */
  requestId?: string;
  /** Hangs up. */
  signal?: AbortSignal;
}

/** Nobody could be asked: a sentence that says why, and what to do. */
export class NotAsked extends Error {
  override name = "NotAsked";
}

/** The server ends a prompt in time; this is for one that was away just then. */
const LATE_MS = 30_000;

/**
 * Asks people through the running server and waits for what they say. A server that goes away
 * meanwhile and comes back is asked again under the same id: it finds the prompt, or the answer.
 */
export async function askServer(io: Io, question: HookQuestion): Promise<object> {
  const { agent, body, data, timeoutMs } = question;
  const isOver = after((timeoutMs ?? Infinity) + LATE_MS);
  const signal = question.signal ? AbortSignal.any([question.signal, isOver]) : isOver;
  const headers = {
    "x-request-id": question.requestId ?? randomUUID(),
    ...(timeoutMs === undefined
      ? {}
      : { "x-timeout-ms": timeoutMs === Infinity ? "never" : String(timeoutMs) }),
  };
  // A machine's token where there is one: it may ask, and cannot answer.
  const tokenFiles = [HOOK_TOKEN, "token"];
  const server = new Connection(io, data, { tokenFiles, isQuiet: true });
  const path = `/api/hooks/${encodeURIComponent(agent)}`;
  try {
    const call = { text: body, headers, signal, repeatable: true };
    const reply = await server.post<unknown>(path, undefined, call);
    // An agent takes what is no object for a hook that has nothing against it.
    if (typeof reply === "object" && reply !== null) return reply;
  } catch (error) {
    question.signal?.throwIfAborted();
    if (isOver.aborted) throw new NotAsked("The time is over, and the server is away.");
    if (!(error instanceof TransportError)) throw error;
    const hint =
      error.code === "unauthorized" ? " Make a new token with: beckon connect claude --write" : "";
    throw new NotAsked(`Beckon refused to ask: ${error.message}${hint}`);
  }
  throw new NotAsked(NOT_BECKON);
}

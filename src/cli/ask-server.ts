import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { HOOK_TOKEN } from "./hook-token.ts";
import type { Io } from "./io.ts";
import { findAddress, noServer, readToken } from "./server/find-server.ts";
import { type HttpReply, isAway, send } from "./server/send.ts";

export interface HookQuestion {
  agent: string;
  /** As the agent gave it. */
  body: string;
  /** Where the server and its token are, unless the environment says so. */
  data: string;
  /** How long people have; it may be `Infinity`. @default as the server decides */
  timeoutMs?: number;
  /** Hangs up. */
  signal?: AbortSignal;
}

/** Nobody could be asked: a sentence that says why, and what to do. */
export class NotAsked extends Error {
  override name = "NotAsked";
}

/** How long a server may be away that was not there from the start; long enough for a restart. */
const FIRST_PATIENCE_MS = 2_000;
/** The server ends a prompt in time; this is for one that was away just then. */
const LATE_MS = 30_000;
const RETRY_MS = 250;

/**
 * Asks people through the running server and waits for what they say. A server that goes away
 * meanwhile and comes back is asked again under the same id: it finds the prompt, or the answer.
 */
export async function askServer(io: Io, question: HookQuestion): Promise<string> {
  const requestId = randomUUID();
  const { timeoutMs = Infinity } = question;
  const started = Date.now();
  const lastMoment = started + timeoutMs + LATE_MS;
  let giveUpAt = started + FIRST_PATIENCE_MS;
  for (;;) {
    const attempt = await post(io, question, requestId);
    if (attempt.status === 200) return checked(attempt.text);
    if (!isAway(attempt)) throw new NotAsked(sentenceOf(attempt.text));
    // Whoever was there once may have the prompt, and be back.
    if (attempt.reached) giveUpAt = lastMoment;
    question.signal?.throwIfAborted();
    if (Date.now() >= giveUpAt) throw new NotAsked(attempt.text);
    await sleep(RETRY_MS, undefined, { signal: question.signal });
  }
}

async function post(io: Io, question: HookQuestion, requestId: string): Promise<HttpReply> {
  const { agent, body, data, timeoutMs, signal } = question;
  const server = findAddress(io, data);
  if (server === undefined) return { status: 0, text: noServer(data), reached: false };
  const url = new URL(`/api/hooks/${encodeURIComponent(agent)}`, server);
  const headers = {
    // A machine's where there is one: it may ask, and cannot answer.
    authorization: `Bearer ${readToken(io, data, [HOOK_TOKEN, "token"])}`,
    "content-type": "application/json",
    "x-request-id": requestId,
    ...(timeoutMs === undefined
      ? {}
      : { "x-timeout-ms": timeoutMs === Infinity ? "never" : String(timeoutMs) }),
  };
  return send(url, { method: "POST", headers, body, signal });
}

/** An agent takes what is no JSON for a hook that has nothing against it. */
function checked(text: string): string {
  try {
    const reply: unknown = JSON.parse(text);
    if (typeof reply === "object" && reply !== null) return text;
  } catch {
    // Below.
  }
  throw new NotAsked(NOT_BECKON);
}

const NOT_BECKON = "What answered at Beckon's address is not Beckon.";

function sentenceOf(text: string): string {
  try {
    const { error, code } = JSON.parse(text) as { error?: string; code?: string };
    const hint =
      code === "unauthorized" ? " Make a new token with: beckon connect claude --write" : "";
    if (typeof error === "string") return `Beckon refused to ask: ${error}${hint}`;
  } catch {
    // What is no JSON did not come from Beckon.
  }
  return NOT_BECKON;
}

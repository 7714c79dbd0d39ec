import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readHolder } from "../store/index.ts";
import { HOOK_TOKEN } from "./hook-token.ts";
import type { Io } from "./io.ts";

export interface HookQuestion {
  agent: string;
  /** As the agent gave it. */
  body: string;
  /** Where the server and its token are, unless the environment says so. */
  data: string;
  /** How long people have; it may be `Infinity`. */
  timeoutMs: number;
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
  const { timeoutMs } = question;
  const started = Date.now();
  const lastMoment = started + timeoutMs + LATE_MS;
  let giveUpAt = started + FIRST_PATIENCE_MS;
  for (;;) {
    const attempt = await post(io, question, requestId);
    if (attempt.status === 200) return checked(attempt.text);
    if (!isAway(attempt.status)) throw new NotAsked(sentenceOf(attempt.text));
    // Whoever was there once may have the prompt, and be back.
    if (attempt.reached) giveUpAt = lastMoment;
    question.signal?.throwIfAborted();
    if (Date.now() >= giveUpAt) throw new NotAsked(attempt.text);
    await sleep(RETRY_MS, undefined, { signal: question.signal });
  }
}

interface Attempt {
  /** 0 where no reply came. */
  status: number;
  text: string;
  /** Whether the question has arrived, as far as can be known. */
  reached: boolean;
}

const isAway = (status: number) => status === 0 || (status >= 502 && status <= 504);

async function post(io: Io, question: HookQuestion, requestId: string): Promise<Attempt> {
  const { agent, body, data, timeoutMs, signal } = question;
  const server = io.env["BECKON_URL"] ?? readHolder(data)?.url;
  if (server === undefined) {
    const text = `No server of Beckon is running on ${data}. Start one with: beckon serve`;
    return { status: 0, text, reached: false };
  }
  const url = new URL(`/api/hooks/${encodeURIComponent(agent)}`, server);
  const headers = {
    authorization: `Bearer ${readToken(io, data)}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    "x-timeout-ms": timeoutMs === Infinity ? "never" : String(timeoutMs),
  };
  return send(url, headers, body, signal);
}

/** Not `fetch`: that gives up on a reply that takes more than five minutes. */
function send(
  url: URL,
  headers: Record<string, string | number>,
  body: string,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    let reached = false;
    const failed = (error: Error) =>
      resolve({
        status: 0,
        text: `The server of Beckon at ${url.origin} cannot be reached (${error.message}).`,
        reached,
      });
    const sent = request(url, { method: "POST", headers, signal, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response
        .on("data", (piece: Buffer) => pieces.push(piece))
        .on("error", failed)
        .on("end", () => {
          const text = Buffer.concat(pieces).toString();
          resolve({ status: response.statusCode ?? 0, text, reached: true });
        });
    });
    sent
      .on("socket", (socket) => {
        socket.setKeepAlive(true, 30_000);
        socket.once("connect", () => {
          reached = true;
        });
      })
      .on("error", failed)
      .end(body);
  });
}

/** A machine's where there is one: it may ask, and cannot answer. */
function readToken(io: Io, data: string): string {
  const given = io.env["BECKON_TOKEN"];
  if (given) return given;
  for (const name of [HOOK_TOKEN, "token"]) {
    try {
      return readFileSync(join(data, name), "utf8").trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  throw new NotAsked(
    `There is no token in ${data}. Make one with: beckon connect claude --write, or set BECKON_TOKEN.`,
  );
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

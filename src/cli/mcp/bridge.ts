import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandFailure } from "../failure.ts";
import type { Io } from "../io.ts";
import { findAddress, noServer, readToken } from "../server/find-server.ts";
import { type Message, RpcError, serveMessages } from "./messages.ts";
import { LineBroke, postMessage } from "./post-message.ts";

interface Options {
  data: string;
  /** How long one call may take before it says `pending`; it may be `Infinity`. */
  wait?: number;
}

const RETRY_MS = 250;
/** How long a server may be away that was not there from the start. */
const FIRST_PATIENCE_MS = 2_000;
/** What a server says of itself that is stopping, or has no store just now. */
const AWAY = 503;
/** Of JSON-RPC: what a server may use as it likes. */
const REFUSED = -32_000;

/**
 * Lets an MCP client on stdin and stdout talk to `POST /mcp` of the running server. A message is sent
 * again, under the same id, over every line that breaks and to every server that is started anew.
 */
export function bridge(io: Io, options: Options): Promise<void> {
  let known = false;
  const send = (message: object) => io.out(JSON.stringify(message));

  async function forward(message: Message & { method: string }, signal: AbortSignal) {
    const requestId = randomUUID();
    const giveUpAt = Date.now() + FIRST_PATIENCE_MS;
    for (;;) {
      try {
        const { status, error } = await postMessage(message, {
          url: addressOf(io, options),
          headers: headersFor(io, options, message, requestId),
          signal,
          take: send,
        });
        known = true;
        if (error === undefined) return;
        if (status !== AWAY) throw new RpcError(REFUSED, error);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof LineBroke)) throw error;
        if (!known && Date.now() >= giveUpAt) throw error;
      }
      await sleep(RETRY_MS, undefined, { signal });
    }
  }

  return serveMessages(io.stdin?.() ?? nothing(), send, {
    request: forward,
    notification: (message) => forward(message, AbortSignal.timeout(FIRST_PATIENCE_MS)),
  });
}

async function* nothing(): AsyncIterable<Uint8Array> {}

/** Looked up for each try: a server that comes back may be on another port. */
function addressOf(io: Io, { data }: Options): URL {
  const address = findAddress(io, data);
  if (address === undefined) throw new LineBroke(noServer(data));
  return new URL("/mcp", address);
}

function headersFor(
  io: Io,
  { data, wait }: Options,
  { method, params }: Message & { method: string },
  requestId: string,
): Record<string, string> {
  const { _meta: meta, name } = Object(params) as { _meta?: unknown; name?: unknown };
  const version: unknown = Object(meta)["io.modelcontextprotocol/protocolVersion"];
  const caller = io.env["BECKON_TOOL_CALL_ID"];
  return {
    authorization: `Bearer ${tokenOf(io, data)}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "x-client-id": clientId(),
    "x-request-id": requestId,
    ...(wait === undefined ? {} : { "x-wait-ms": wait === Infinity ? "never" : String(wait) }),
    ...(caller ? { "x-caller-tool-call-id": caller } : {}),
    // What HTTP says in headers since 2026-07-28. Before that no message says its version.
    ...(typeof version === "string"
      ? {
          "mcp-protocol-version": version,
          "mcp-method": method,
          ...(typeof name === "string" ? { "mcp-name": name } : {}),
        }
      : {}),
  };
}

function tokenOf(io: Io, data: string): string {
  try {
    return readToken(io, data);
  } catch (error) {
    if (error instanceof CommandFailure) throw new RpcError(REFUSED, error.message);
    throw error;
  }
}

/**
 * Names the client that started this process: one that starts it anew, after it was killed, is still
 * the same and finds what it had asked.
 */
function clientId(): string {
  const facts = [hostname(), String(process.ppid), process.cwd()];
  return createHash("sha256").update(facts.join("\n")).digest("base64url").slice(0, 22);
}

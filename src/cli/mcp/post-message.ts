import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { readEventStream } from "../../transport/event-stream.ts";
import type { Message } from "./messages.ts";

/** No whole reply came: the server is away, or was cut off. */
export class LineBroke extends Error {
  override name = "LineBroke";
}

interface Post {
  url: URL;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Gets each message that comes in reply. */
  take: (message: object) => void;
}

/**
 * Posts one message to an MCP server, and resolves once its reply is whole. `error` says in words why
 * the server did not take it.
 */
export async function postMessage(
  message: Message,
  { url, headers, signal, take }: Post,
): Promise<{ status: number; error?: string }> {
  const reply = await send(url, headers, JSON.stringify(message), signal);
  const status = reply.statusCode ?? 0;
  let isAnswered = message.id === undefined;
  const hear = (text: string): string | undefined => {
    const said = parse(text);
    if (said === undefined || !("jsonrpc" in said)) return wordsOf(said, status);
    if ("id" in said && !("method" in said)) isAnswered = true;
    take(said);
    return undefined;
  };
  try {
    if (reply.headers["content-type"]?.startsWith("text/event-stream")) {
      const body = Readable.toWeb(reply) as ReadableStream<Uint8Array>;
      await readEventStream(body, { chunk() {}, data: hear }, signal);
    } else {
      const text = await readText(reply);
      const error = text === "" ? undefined : hear(text);
      if (error !== undefined) return { status, error };
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw new LineBroke("The server of Beckon broke off its reply.", { cause });
  }
  signal.throwIfAborted();
  if (!isAnswered) throw new LineBroke("The server of Beckon ended its reply before it was whole.");
  return { status };
}

function send(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) {
  const start = url.protocol === "https:" ? requestHttps : requestHttp;
  const length = { "content-length": String(Buffer.byteLength(body)) };
  return new Promise<IncomingMessage>((resolve, reject) => {
    start(
      url,
      { method: "POST", headers: { ...headers, ...length }, signal, agent: false },
      resolve,
    )
      .on("socket", (socket) => socket.setKeepAlive(true, 30_000))
      .on("error", (cause) => {
        const words = `The server of Beckon at ${url.origin} cannot be reached (${cause.message}).`;
        reject(signal.aborted ? cause : new LineBroke(words, { cause }));
      })
      .end(body);
  });
}

async function readText(reply: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of reply) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

function parse(text: string): object | undefined {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return undefined;
  }
}

function wordsOf(said: object | undefined, status: number): string {
  const { error } = (said ?? {}) as { error?: unknown };
  return typeof error === "string" ? error : `What answered there is not Beckon (${status}).`;
}

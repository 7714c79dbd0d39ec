import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { PlainRequest } from "../../transport/http-exchange.ts";

/** No reply came. */
export class NoReply extends Error {
  override name = "NoReply";
  /** Whether somebody was there, so that the request may have arrived. */
  readonly reached: boolean;
  /** Whether the system lets nothing out of here, so that asking again is of no use. */
  readonly isShutIn: boolean;
  /** Where nobody was. */
  readonly url: URL | undefined;

  constructor(
    message: string,
    { reached = false, isShutIn = false, url }: Partial<Omit<NoReply, keyof Error>> = {},
  ) {
    super(message);
    this.url = url;
    this.reached = reached;
    this.isShutIn = isShutIn;
  }
}

/** `fetch` for replies that may take long: Node's own gives up after five minutes. */
export function nodeFetch(given: PlainRequest) {
  const { method, headers, body, signal } = given;
  const url = new URL(given.url);
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const options = { method, headers: { ...headers, ...length }, signal, agent: false };
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise<ReturnType<typeof toReply>>((resolve, reject) => {
    let reached = false;
    const failed = (error: NodeJS.ErrnoException) => {
      const isShutIn = !reached && SHUT_IN.has(error.code ?? "");
      const text = isShutIn ? shutIn(url) : whyUnreachable(url, error);
      reject(new NoReply(text, { reached, isShutIn, url }));
    };
    const sent = send(url, options, (reply) => {
      const pieces: Buffer[] = [];
      reply
        .on("data", (piece: Buffer) => pieces.push(piece))
        .on("error", failed)
        .on("end", () => resolve(toReply(reply, Buffer.concat(pieces).toString())));
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

/** Not a `Response`: to load what that needs takes a command longer than its request. */
function toReply({ statusCode: status = 0, headers }: IncomingMessage, text: string) {
  return {
    ok: status >= 200 && status < 300,
    status,
    text: () => Promise.resolve(text),
    headers: { get: (name: string) => [headers[name] ?? null].flat()[0] ?? null },
  };
}

/** How systems answer a connection from where none is allowed. */
const SHUT_IN = new Set(["EPERM", "EACCES", "ENETUNREACH"]);

export function shutIn(url: URL): string {
  return (
    `The sandbox of this command lets it open no network connections, so it cannot reach the ` +
    `server of Beckon: allow it network access to ${url.host}, or run it outside the sandbox.`
  );
}

function whyUnreachable(url: URL, error: NodeJS.ErrnoException): string {
  return `The server of Beckon at ${url.origin} cannot be reached (${error.message}).`;
}

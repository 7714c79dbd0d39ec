import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** Hangs up. */
  signal?: AbortSignal;
  /** How long the line may be silent before it is taken for broken. @default for ever */
  silentMs?: number;
}

export interface HttpReply {
  /** 0 where no reply came. */
  status: number;
  /** What came, or why nothing did. */
  text: string;
  /** Whether somebody was there, so that the request may have arrived. */
  reached: boolean;
  /** Whether the system lets nothing out of here, so that asking again is of no use. */
  isShutIn?: boolean;
}

/** Whether whoever should answer may do so if asked again in a moment. */
export const isAway = ({ status }: { status: number }) =>
  status === 0 || (status >= 502 && status <= 504);

/** Not `fetch`: that gives up on a reply that takes more than five minutes. */
export function send(url: URL, sending: HttpRequest): Promise<HttpReply> {
  const { method, headers, body, signal, silentMs } = sending;
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const options = { method, headers: { ...headers, ...length }, signal, agent: false };
  return new Promise((resolve) => {
    let reached = false;
    const failed = (error: NodeJS.ErrnoException) => {
      const isShutIn = !reached && SHUT_IN.has(error.code ?? "");
      const text = isShutIn ? shutIn(url) : whyUnreachable(url, error);
      resolve({ status: 0, text, reached, isShutIn });
    };
    const sent = request(url, options, (response) => {
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
    if (silentMs !== undefined) {
      sent.setTimeout(silentMs, () => sent.destroy(new Error("the line went silent")));
    }
  });
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

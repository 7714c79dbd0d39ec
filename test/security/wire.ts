import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { WebSocket } from "ws";

/** The value of a header, several to send it several times, or null to leave it out. */
export type SentHeaders = Record<string, string | string[] | null>;

export interface Reply {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  /** The parsed body, where it is JSON. */
  body: any;
}

/** Sends to a server what a well-behaved client never would: exactly these headers and bytes. */
export class Wire {
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** `line` is the method and the path. The Host is right unless it is given. */
  async send(line: string, headers: SentHeaders = {}, body?: string | Buffer): Promise<Reply> {
    const [method = "GET", path = "/"] = line.split(" ");
    const to = { host: "127.0.0.1", port: this.#port, agent: false as const };
    const sent = httpRequest({ ...to, method, path, setHost: false });
    for (const [name, value] of Object.entries({ host: `127.0.0.1:${this.#port}`, ...headers })) {
      if (value !== null) sent.setHeader(name, value);
    }
    // Without it Node would write a body of a GET or DELETE as if it were the next request.
    if (body !== undefined) sent.setHeader("content-length", Buffer.byteLength(body));
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return readReply(response);
  }

  /** Sends bytes as they are, and gives what comes back until the server hangs up. */
  async raw(bytes: string): Promise<string> {
    const socket = connect(this.#port, "127.0.0.1");
    socket.on("error", () => {});
    socket.end(bytes);
    let text = "";
    for await (const chunk of socket.setEncoding("utf8")) text += chunk as string;
    return text;
  }

  /** What an upgrade comes to: `open`, or its refusal in two words. */
  async upgrade(headers: SentHeaders, path = "/ws"): Promise<string> {
    const given = Object.entries(headers).filter(([, value]) => value !== null);
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}${path}`, {
      headers: Object.fromEntries(given) as Record<string, string>,
    });
    return new Promise((resolve) => {
      socket.on("open", () => {
        socket.terminate();
        resolve("open");
      });
      socket.on("unexpected-response", (_request, response) => {
        void readReply(response).then((reply) => resolve(inWords(reply)));
      });
      socket.on("error", (error) => resolve(error.message));
    });
  }
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A reply in two words: its status and its code, or `ok`. */
export function inWords({ status, body }: Pick<Reply, "status" | "body">): string {
  return `${status} ${status < 400 ? "ok" : (body?.code ?? "without a code")}`;
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  const { statusCode: status = 0, headers } = response;
  return { status, headers, text, body: parse(text) };
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

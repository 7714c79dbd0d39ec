import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelReply } from "./reply.ts";

/** What the model answers, from what it was asked. A promise keeps the runtime waiting. */
export type Script<Request> = (request: Request) => ModelReply | Promise<ModelReply>;

/** How a provider's API looks. */
interface Api<Request> {
  path: string;
  send(outgoing: ServerResponse, reply: ModelReply, request: Request, number: number): void;
  /** The body that tells of a script which failed. */
  fail(error: unknown): unknown;
}

export interface ScriptedModel<Request> {
  url: string;
  /** Everything that was asked with tools at hand, in order: what the model received. */
  readonly requests: Request[];
  /** What it answers from now on. */
  answer(script: Script<Request> | ModelReply[]): void;
  close(): Promise<void>;
}

/**
 * Serves a model on the loopback interface. Requests without tools, which runtimes make beside the
 * conversation (a session's title), get a word and are not recorded.
 */
export async function serveModel<Request extends { tools?: unknown[] }>(
  script: Script<Request> | ModelReply[],
  api: Api<Request>,
): Promise<ScriptedModel<Request>> {
  let answer = toScript(script);
  const requests: Request[] = [];
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end(JSON.stringify(api.fail(error)));
    });
  });

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [path] = (incoming.url ?? "").split("?");
    if (path !== api.path || incoming.method !== "POST") {
      outgoing.writeHead(404).end();
      return;
    }
    const request = JSON.parse(await bodyOf(incoming)) as Request;
    const aside = (request.tools ?? []).length === 0;
    if (!aside) requests.push(request);
    const number = requests.length;
    const reply = aside
      ? { blocks: [{ type: "text", text: "Aside" } as const] }
      : await answer(request);
    api.send(outgoing, reply, request, number);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (next) => {
      answer = toScript(next);
    },
    close: () => close(server),
  };
}

/** Sends a reply as server-sent events, or as the HTTP error or the broken line that it is. */
export function sendReply(
  outgoing: ServerResponse,
  reply: ModelReply,
  as: { stream(blocks: BlocksOf<ModelReply>): string[]; error(error: unknown): unknown },
): void {
  if ("status" in reply) {
    outgoing.writeHead(reply.status, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(as.error(reply.error)));
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const stream = as.stream(reply.blocks).join("");
  if (!("breakAfter" in reply)) outgoing.end(stream);
  else outgoing.write(stream.slice(0, reply.breakAfter), () => outgoing.destroy());
}

type BlocksOf<Reply> = Reply extends { blocks: infer Blocks } ? Blocks : never;

function toScript<Request>(script: Script<Request> | ModelReply[]): Script<Request> {
  if (typeof script === "function") return script;
  const replies = [...script];
  return () => {
    const next = replies.shift();
    if (!next) throw new Error("The script of the model is at its end.");
    return next;
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

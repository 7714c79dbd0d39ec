import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelReply } from "./reply.ts";
import type { ModelRequest } from "./request.ts";
import { toStream } from "./stream.ts";

export { type ModelBlock, type ModelReply, overloaded, says, thinking, toolUse } from "./reply.ts";
export { latest, type ModelRequest, type ReceivedResult } from "./request.ts";

/** What the model answers, from what it was asked. A promise keeps the runtime waiting. */
export type ModelScript = (request: ModelRequest) => ModelReply | Promise<ModelReply>;

/** A model that says what a test tells it to. */
export interface FakeAnthropic {
  url: string;
  /** Everything that was asked with tools at hand, in order: what the model received. */
  readonly requests: ModelRequest[];
  /** What it answers from now on. */
  answer(script: ModelScript | ModelReply[]): void;
  /** What a Claude process needs to speak to it and to nobody else; `home` keeps what it writes. */
  env(home: string): Record<string, string>;
  close(): Promise<void>;
}

/**
 * Starts a scripted Anthropic Messages API on the loopback interface. Requests without tools, which
 * runtimes make beside the conversation (a session's title), get a word and are not recorded.
 */
export async function startFakeAnthropic(
  script: ModelScript | ModelReply[] = [],
): Promise<FakeAnthropic> {
  let answer = toScript(script);
  const requests: ModelRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end(
        JSON.stringify({ type: "error", error: { type: "api_error", message: String(error) } }),
      );
    });
  });

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const isMessage =
      incoming.method === "POST" && incoming.url?.startsWith("/v1/messages?") === true;
    if (!isMessage && incoming.url !== "/v1/messages") {
      outgoing.writeHead(404).end();
      return;
    }
    const request = JSON.parse(await bodyOf(incoming)) as ModelRequest;
    const aside = (request.tools ?? []).length === 0;
    if (!aside) requests.push(request);
    const number = requests.length;
    const reply = aside
      ? { blocks: [{ type: "text", text: "Aside" } as const] }
      : await answer(request);
    send(outgoing, reply, request, number);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    answer: (next) => {
      answer = toScript(next);
    },
    env: (home) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-scripted",
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      HOME: home,
      PATH: process.env["PATH"] ?? "",
    }),
    close: () => close(server),
  };
}

function toScript(script: ModelScript | ModelReply[]): ModelScript {
  if (typeof script === "function") return script;
  const replies = [...script];
  return () => {
    const next = replies.shift();
    if (!next) throw new Error("The script of the model is at its end.");
    return next;
  };
}

function send(
  outgoing: ServerResponse,
  reply: ModelReply,
  { model }: ModelRequest,
  number: number,
): void {
  if ("status" in reply) {
    outgoing.writeHead(reply.status, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ type: "error", error: reply.error }));
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const stream = toStream(reply.blocks, model, number);
  if (!("breakAfter" in reply)) {
    outgoing.end(stream.join(""));
    return;
  }
  outgoing.write(stream.join("").slice(0, reply.breakAfter), () => outgoing.destroy());
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

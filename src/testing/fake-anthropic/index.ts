import type { ServerResponse } from "node:http";
import type { ModelReply } from "../scripted-model/reply.ts";
import { type Script, type ScriptedModel, sendReply, serveModel } from "../scripted-model/serve.ts";
import type { ModelRequest } from "./request.ts";
import { toStream } from "./stream.ts";

export { latest, type ModelRequest, type ReceivedResult } from "./request.ts";

/** What the model answers, from what it was asked. A promise keeps the runtime waiting. */
export type ModelScript = Script<ModelRequest>;

/** A model that says what a test tells it to. */
export interface FakeAnthropic extends ScriptedModel<ModelRequest> {
  /** What a Claude process needs to speak to it and to nobody else; `home` keeps what it writes. */
  env(home: string): Record<string, string>;
}

/**
 * Starts a scripted Anthropic Messages API on the loopback interface. Requests without tools, which
 * runtimes make beside the conversation (a session's title), get a word and are not recorded.
 */
export async function startFakeAnthropic(
  script: ModelScript | ModelReply[] = [],
): Promise<FakeAnthropic> {
  const { url, ...model } = await serveModel(script, {
    path: "/v1/messages",
    send,
    fail: (error) => ({ type: "error", error: { type: "api_error", message: String(error) } }),
  });
  return {
    ...model,
    url,
    env: (home) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-scripted",
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      HOME: home,
      PATH: process.env["PATH"] ?? "",
    }),
  };
}

function send(
  outgoing: ServerResponse,
  reply: ModelReply,
  { model }: ModelRequest,
  number: number,
): void {
  sendReply(outgoing, reply, {
    stream: (blocks) => toStream(blocks, model, number),
    error: (error) => ({ type: "error", error }),
  });
}

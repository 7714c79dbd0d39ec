import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelReply } from "../scripted-model/reply.ts";
import { type Script, type ScriptedModel, sendReply, serveModel } from "../scripted-model/serve.ts";
import { codexConfig } from "./codex-config.ts";
import type { OpenaiRequest } from "./request.ts";
import { toStream } from "./stream.ts";

export { latestInput, type OpenaiRequest } from "./request.ts";

/** What the model answers, from what it was asked. A promise keeps the runtime waiting. */
export type OpenaiScript = Script<OpenaiRequest>;

/** A model of OpenAI's that says what a test tells it to. */
export interface FakeOpenai extends ScriptedModel<OpenaiRequest> {
  /**
   * Writes the settings of a Codex that speaks to this model and to nobody else into a folder, and
   * gives the environment that such a Codex needs. What it writes goes into that folder too.
   */
  codexEnv(home: string): Record<string, string>;
}

/**
 * Starts a scripted Responses API of OpenAI's on the loopback interface. Requests without tools,
 * which runtimes make beside the conversation, get a word and are not recorded.
 */
export async function startFakeOpenai(
  script: OpenaiScript | ModelReply[] = [],
): Promise<FakeOpenai> {
  const error = (cause: unknown) => ({ error: cause });
  const model = await serveModel<OpenaiRequest>(script, {
    path: "/v1/responses",
    send: (outgoing, reply, _request, number) =>
      sendReply(outgoing, reply, { stream: (blocks) => toStream(blocks, number), error }),
    fail: (cause) => error({ type: "server_error", message: String(cause) }),
  });
  return {
    ...model,
    codexEnv(home) {
      const codexHome = join(home, ".codex");
      mkdirSync(codexHome, { recursive: true });
      writeFileSync(join(codexHome, "config.toml"), codexConfig(model.url));
      return {
        CODEX_HOME: codexHome,
        SCRIPTED_KEY: "scripted",
        HOME: home,
        PATH: process.env["PATH"] ?? "",
      };
    },
  };
}

import type { AgentRuntime } from "../../../src/beckon.ts";
import { type CodexAgentOptions, createCodexAgent } from "../../../src/agents/index.ts";
import { type FakeOpenai, startFakeOpenai, toolUse } from "../../../src/testing/index.ts";
import { House } from "../house.ts";

export const CODEX = new URL("../node_modules/.bin/codex", import.meta.url).pathname;

/** The model runs a command. */
export function runs(id: string, cmd: string) {
  // By default the model would get to read what there is after ten seconds.
  return toolUse(id, "exec_command", { cmd, yield_time_ms: 30_000 });
}

/** A server with the real Codex under it. */
export class CodexHouse extends House<FakeOpenai> {
  url = "";
  #options: CodexAgentOptions = {};

  static async open(options: CodexAgentOptions = {}): Promise<CodexHouse> {
    const house = new CodexHouse(await startFakeOpenai());
    house.#options = options;
    await house.start();
    return house;
  }

  override async start(): Promise<void> {
    await super.start();
    // What Codex runs asks over the network.
    ({ url: this.url } = await this.beckon.listen({ host: "127.0.0.1", port: 0 }));
  }

  protected agents(): AgentRuntime[] {
    const { env, ...options } = this.#options;
    const own = { ...this.model.codexEnv(this.folder), ...env };
    return [createCodexAgent({ command: CODEX, env: own, ...options })];
  }
}

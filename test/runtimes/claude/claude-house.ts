import type { AgentRuntime } from "../../../src/beckon.ts";
import { type ClaudeAgentOptions, createClaudeAgent } from "../../../src/agents/index.ts";
import { type FakeAnthropic, startFakeAnthropic } from "../../../src/testing/index.ts";
import { House } from "../house.ts";

export const SDK_PATH = new URL(
  "../node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs",
  import.meta.url,
).href;

/** A question as AskUserQuestion has it. */
export const COLOUR = {
  header: "Colour",
  question: "Which colour?",
  multiSelect: false,
  options: [
    { label: "Red", description: "As the door" },
    { label: "Blue", description: "As the sky" },
  ],
};

/** A server with the real Claude Agent SDK in it. */
export class ClaudeHouse extends House<FakeAnthropic> {
  #options: ClaudeAgentOptions = {};

  /** @param options of the agent; a function gets the folder of the house, and the agent's environment */
  static async open(
    options:
      | ClaudeAgentOptions
      | ((folder: string, env: Record<string, string>) => ClaudeAgentOptions) = {},
  ): Promise<ClaudeHouse> {
    const house = new ClaudeHouse(await startFakeAnthropic());
    house.#options =
      typeof options === "function" ? options(house.folder, house.common().env) : options;
    await house.start();
    return house;
  }

  protected agents(): AgentRuntime[] {
    return [createClaudeAgent({ sdkPath: SDK_PATH, ...this.common(), ...this.#options })];
  }

  /** What every Claude Code gets: the scripted model, and no settings but its own. */
  protected common() {
    const env = { ...this.model.env(this.folder), IS_SANDBOX: "1" };
    return { env, settingSources: [] };
  }
}

import {
  type AgentRuntime,
  type ClaudeCliAgentOptions,
  createClaudeCliAgent,
} from "../../../src/beckon.ts";
import { startFakeAnthropic } from "../../../src/testing/index.ts";
import { findClaudeCode } from "../claude-code/code-house.ts";
import { ClaudeHouse } from "../claude/claude-house.ts";

/** A server whose agent is the command of Claude Code. */
export class CliHouse extends ClaudeHouse {
  url = "";
  #options: ClaudeCliAgentOptions = {};

  /** @param options of the agent, from the folder of the house and the agent's environment */
  static async openWith(
    options: (folder: string, env: Record<string, string>) => ClaudeCliAgentOptions = () => ({}),
  ): Promise<CliHouse> {
    const house = new CliHouse(await startFakeAnthropic());
    house.#options = options(house.folder, house.common().env);
    await house.start();
    return house;
  }

  override async start(): Promise<void> {
    await super.start();
    // What Claude Code runs asks over the network.
    ({ url: this.url } = await this.beckon.listen({ host: "127.0.0.1", port: 0 }));
  }

  protected override agents(): AgentRuntime[] {
    const options = { command: findClaudeCode(), ...this.common(), ...this.#options };
    return [createClaudeCliAgent(options), ...super.agents()];
  }
}

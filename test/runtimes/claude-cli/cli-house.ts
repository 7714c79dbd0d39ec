import { mkdirSync } from "node:fs";
import {
  type AgentRuntime,
  type ClaudeCliAgentOptions,
  createClaudeCliAgent,
} from "../../../src/beckon.ts";
import { startFakeAnthropic } from "../../../src/testing/index.ts";
import { findClaudeCode } from "../claude-code/code-house.ts";
import { ClaudeHouse } from "../claude/claude-house.ts";

/** A server whose agent is the command of Claude Code, and a scripted model. */
export class CliHouse extends ClaudeHouse {
  #options: ClaudeCliAgentOptions = {};

  static async openWith(options: ClaudeCliAgentOptions = {}): Promise<CliHouse> {
    const house = new CliHouse();
    mkdirSync(house.work);
    house.model = await startFakeAnthropic();
    house.#options = options;
    await house.start();
    return house;
  }

  override async start(): Promise<void> {
    await super.start();
    // What Claude Code runs asks over the network.
    await this.beckon.listen({ host: "127.0.0.1", port: 0 });
  }

  protected override agent(): AgentRuntime {
    return createClaudeCliAgent({ command: findClaudeCode(), ...this.common(), ...this.#options });
  }
}

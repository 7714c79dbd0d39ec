import type { AgentRuntime } from "../core/index.ts";

/** Who answers messages in a session that was made only so that a program could ask in it. */
export const outsideAgent: AgentRuntime = {
  id: "outside",
  name: "A program outside",
  description: "Asks from outside of Beckon, and reads no messages.",
  hidden: true,
  capabilities: { reenter: "replay", steer: false },
  async run(turn) {
    await turn.text(
      "Nobody reads messages here: this session was made for a program that only asks. " +
        "Answer its prompts, or start another session to talk to an agent.",
    );
    return { status: "completed" };
  },
};

import type { AgentRuntime, NativeCall, Turn } from "../../src/core/index.ts";
import type { SessionRecord } from "../../src/protocol/index.ts";
import type { Client } from "./client.ts";
import type { World } from "./world.ts";

/*
 * An agent whose shell runs commands, without a process: a scenario says which commands begin and
 * end, and asks in their place as a program would that they run.
 */

let act: (turn: Turn) => Promise<void>;

/** It executes its calls itself, and goes on with them after its server died. */
export const shellAgent: AgentRuntime = {
  id: "shell",
  name: "Shell",
  description: "For tests.",
  capabilities: { reenter: "native", steer: false, nativeCalls: true },
  canResume: () => true,
  async run(turn) {
    await act(turn);
    return { status: "completed" };
  },
};

/** The same, but its turns end with their server. */
export const mortalShell: AgentRuntime = {
  ...shellAgent,
  id: "mortal-shell",
  capabilities: { reenter: "none", steer: false, nativeCalls: true },
};

export interface Shell {
  session: SessionRecord;
  client: Client;
  /** What a program in the shell asks with. */
  machine: Record<string, string>;
  begin(nativeId: string, input: unknown, toolName?: string): Promise<NativeCall>;
  /** Ends the turn by itself. */
  leave(): void;
}

/** A turn that runs, and whose shell does as the scenario says. */
export async function openShell(world: World, agent = "shell"): Promise<Shell> {
  let leave = () => {};
  const left = new Promise<void>((resolve) => (leave = resolve));
  let enter = (_turn: Turn) => {};
  let entered = new Promise<Turn>((resolve) => (enter = resolve));
  let current: Turn | undefined;
  act = async (turn) => {
    enter(turn);
    entered = Promise.resolve(turn);
    current = turn;
    // What is done in a turn whose server died nobody hears of: the one that is entered next counts.
    turn.signal.addEventListener("abort", () => {
      if (current === turn) entered = new Promise((resolve) => (enter = resolve));
    });
    await left;
  };
  const client = await world.person();
  const session = await world.session({ agent });
  await client.subscribe(session.id);
  await client.say(session.id, "go");
  await entered;
  const token = await world.machine(session.id);
  return {
    session,
    client,
    machine: { authorization: `Bearer ${token}`, "x-session-id": session.id },
    begin: async (nativeId, input, toolName = "Bash") =>
      (await entered).startCall({ nativeId, toolName, input }),
    leave,
  };
}

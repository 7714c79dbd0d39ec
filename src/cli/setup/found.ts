import { AGENT_KINDS } from "../../agents/index.ts";
import type { AgentRuntime } from "../../beckon.ts";
import { createAgents } from "../create-agents.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import type { Settings } from "../settings.ts";

/** An agent, and whether what it needs is on this machine. */
export interface Found {
  agent: AgentRuntime;
  isThere: boolean;
}

export function lookForAgents(io: Io, settings: Settings, data: string): Promise<Found[]> {
  const order = AGENT_KINDS.map(({ id }) => id);
  const agents = createAgents(settings, data, io.env);
  const sorted = agents.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  return Promise.all(
    sorted.map(async (agent) => ({ agent, isThere: (await agent.need?.isThere()) ?? true })),
  );
}

export function findAgent(found: Found[], id: string): Found {
  const one = found.find(({ agent }) => agent.id === id);
  if (one) return one;
  const known = found.map(({ agent }) => agent.id).join(", ");
  throw new CommandFailure(`There is no agent "${id}". Choose one of: ${known}.`, EXIT.usage);
}

export function linesOf(found: Found[]): string[] {
  const width = Math.max(...found.map(({ agent }) => agent.id.length));
  return found.map(({ agent: { id, name, need }, isThere }) => {
    const how = isThere || !need ? `${name} is here` : `${name} is not here: ${need.install}`;
    return `  ${id.padEnd(width)}  ${how}`;
  });
}

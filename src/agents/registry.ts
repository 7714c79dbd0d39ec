import type { AgentRegistry, AgentRuntime } from "../core/index.ts";

export function createAgentRegistry(agents: AgentRuntime[]): AgentRegistry {
  const byId = new Map<string, AgentRuntime>();
  for (const agent of agents) {
    if (byId.has(agent.id)) {
      throw new Error(`Two agents are called "${agent.id}". Give one of them another id.`);
    }
    byId.set(agent.id, agent);
  }
  return {
    get: (id) => byId.get(id),
    list: () => [...byId.values()].filter(({ hidden }) => !hidden),
  };
}

import { useEffect, useState } from "react";
import { useTransport } from "../../src/react/index.ts";
import type { AgentRecord } from "../../src/protocol/index.ts";

/** The agents that a session may have. */
export function useAgents(): AgentRecord[] {
  const transport = useTransport();
  const [agents, setAgents] = useState<AgentRecord[]>([]);
  useEffect(() => {
    void transport.agents().then(setAgents, () => {});
  }, [transport]);
  return agents;
}

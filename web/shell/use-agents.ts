import { useEffect, useState } from "react";
import { useTransport } from "../../src/react/index.ts";
import type { PermissionMode } from "../../src/protocol/index.ts";

export interface Agent {
  id: string;
  name: string;
  description: string;
  capabilities?: { modes?: PermissionMode[] };
}

/** The agents that a session may have. */
export function useAgents(): Agent[] {
  const transport = useTransport();
  const [agents, setAgents] = useState<Agent[]>([]);
  useEffect(() => {
    void transport.agents().then(setAgents, () => {});
  }, [transport]);
  return agents;
}

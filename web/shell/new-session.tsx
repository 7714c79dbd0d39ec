import { Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { useTransport } from "../parts.ts";
import { goTo } from "../route.ts";

interface Agent {
  id: string;
  name: string;
  description: string;
}

/** Starts a session; with a choice of agents where there is one to make. */
export function NewSession() {
  const transport = useTransport();
  const [agents, setAgents] = useState<Agent[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    void transport.agents().then(setAgents, () => {});
  }, [transport]);
  const create = async (agent?: string) => {
    try {
      const { id } = await transport.createSession(agent ? { agent } : {});
      setProblem(undefined);
      goTo({ page: "session", sessionId: id });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <div className="flex gap-1">
        <button className="button button-strong flex-1" onClick={() => void create()}>
          <Plus aria-hidden size={17} /> New session
        </button>
        {agents.length > 1 && (
          <select
            className="button w-24"
            aria-label="New session with agent"
            value=""
            onChange={(event) => void create(event.target.value)}
          >
            <option value="" disabled>
              with…
            </option>
            {agents.map(({ id, name, description }) => (
              <option key={id} value={id} title={description}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
      {problem && (
        <p role="alert" className="px-1 text-sm text-danger">
          {problem}
        </p>
      )}
    </>
  );
}

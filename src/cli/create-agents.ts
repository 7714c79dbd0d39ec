import { resolve } from "node:path";
import { AGENT_KINDS } from "../agents/index.ts";
import type { AgentRuntime } from "../beckon.ts";
import type { Settings } from "./settings.ts";

/** In the data directory: what `beckon setup` installs for agents. */
function installFolder(data: string): string {
  return resolve(data, "agents");
}

/** The agents of a server, the one first that a session gets which names none. */
export function createAgents(
  { agents = {}, defaults = {} }: Settings,
  data: string,
  env: Readonly<Record<string, string | undefined>>,
): AgentRuntime[] {
  const { agent: first, cwd } = defaults;
  const place = { env, installFolder: installFolder(data), ...(cwd !== undefined && { cwd }) };
  const all = AGENT_KINDS.map((kind) => kind.create(agents[kind.id], place));
  return all.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
}

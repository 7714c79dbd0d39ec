import type { CoreOptions, CorePorts } from "../api.ts";
import type { Ability, RunRow, SessionRow } from "../ports.ts";
import { isAskState, OUTSIDE } from "./run-row.ts";

export interface AbilityPorts extends Pick<CorePorts, "agents" | "store" | "tools"> {
  options: Pick<CoreOptions, "node" | "shared">;
}

/** For how long what we cannot execute is left to nodes that can, as while a new version is deployed. */
const PATIENCE_MS = 60_000;

/** What this process can execute; nothing where nobody else shares the store, who could do the rest. */
export function abilityOf({ agents, tools, options }: AbilityPorts): Ability | undefined {
  if (!options.shared) return undefined;
  return {
    host: options.node?.host ?? "",
    agents: [...agents.list().map(({ id }) => id), OUTSIDE],
    tools: tools.list().map(({ name, version }) => [name, version ?? null]),
    patienceMs: PATIENCE_MS,
  };
}

/** Whether the folder of the session is here. */
export function hasFolder(
  { options }: Pick<AbilityPorts, "options">,
  session: SessionRow,
): boolean {
  return !options.shared || session.host === null || session.host === options.node?.host;
}

/** Whether turns of the session can run here. */
export function canTakeTurns(ports: AbilityPorts, session: SessionRow): boolean {
  const hasAgent = !ports.options.shared || ports.agents.get(session.agent) !== undefined;
  return hasAgent && hasFolder(ports, session);
}

/** Whether a run that waits for people can go on here. */
export async function canGoOn(ports: AbilityPorts, run: RunRow | null): Promise<boolean> {
  if (!ports.options.shared || run?.status !== "suspended" || isAskState(run.state)) return true;
  const [session, calls] = await Promise.all([
    ports.store.session(run.sessionId),
    ports.store.calls(run.id),
  ]);
  if (!session || !hasFolder(ports, session)) return false;
  if (run.kind === "turn" && !canTakeTurns(ports, session)) return false;
  return calls.every(({ status, durable, tool, toolVersion }) => {
    const known = ports.tools.get(tool);
    const isNeeded = status === "running" && durable === "replay";
    return !isNeeded || (known !== undefined && (known.version ?? null) === toolVersion);
  });
}

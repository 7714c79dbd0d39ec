import type { RequestAsker } from "../../protocol/index.ts";
import type { PrincipalRow, SessionRow } from "../ports.ts";
import type { CorePorts } from "../api.ts";

/** Who asks when a call asks: whoever made it from outside, else the session's agent. */
export function askerOf(
  ports: Pick<CorePorts, "agents">,
  caller: PrincipalRow | null,
  session: SessionRow | null,
): RequestAsker {
  if (caller) return { name: caller.name, kind: caller.kind };
  const agent = session?.agent ?? "";
  return { name: ports.agents.get(agent)?.name ?? agent, kind: "agent" };
}

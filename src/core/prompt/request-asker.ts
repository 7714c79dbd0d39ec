import type { CallOrigin, RequestAsker } from "../../protocol/index.ts";
import type { PrincipalRow, SessionRow } from "../ports.ts";
import type { CorePorts } from "../api.ts";

/** Who asks when a call asks: whoever made it from outside, else the session's agent. */
export function askerOf(
  ports: Pick<CorePorts, "agents">,
  caller: PrincipalRow | null,
  session: SessionRow | null,
  origin: CallOrigin,
): RequestAsker {
  if (caller) return askerOutside(caller, origin);
  const agent = session?.agent ?? "";
  return { name: ports.agents.get(agent)?.name ?? agent, kind: "agent" };
}

/** Over MCP a program asks, also one that a person lent their own credential. */
export function askerOutside(
  { name, kind }: Pick<PrincipalRow, "name" | "kind">,
  origin: CallOrigin,
): RequestAsker {
  if (origin !== "mcp" || kind !== "person") return { name, kind };
  return { name: `${name}'s program`, kind: "machine" };
}

import type { RequestAsker } from "../../protocol/index.ts";
import type { CallRow, SessionRow } from "../ports.ts";
import type { CorePorts } from "../api.ts";

/** Who asks when this call asks: whoever made it from outside, else the session's agent. */
export async function askerOfCall(
  ports: Pick<CorePorts, "agents" | "store">,
  call: CallRow,
  session: SessionRow | null,
): Promise<RequestAsker> {
  const caller = call.callerId === null ? null : await ports.store.principal(call.callerId);
  if (caller) return { name: caller.name, kind: caller.kind };
  const agent = session?.agent ?? "";
  return { name: ports.agents.get(agent)?.name ?? agent, kind: "agent" };
}

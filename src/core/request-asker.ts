import type { RequestAsker } from "../protocol/index.ts";
import type { Env } from "./env.ts";
import type { CallRow, SessionRow } from "./ports.ts";

/** Who asks when this call asks: whoever made it from outside, else the session's agent. */
export async function askerOfCall(
  env: Env,
  call: CallRow,
  session: SessionRow | null,
): Promise<RequestAsker> {
  const caller = call.callerId === null ? null : await env.store.principal(call.callerId);
  if (caller) return { name: caller.name, kind: caller.kind };
  const agent = session?.agent ?? "";
  return { name: env.agents.get(agent)?.name ?? agent, kind: "agent" };
}

import { type AgentMode, PERMISSION_MODES, ProtocolError } from "../../protocol/index.ts";
import type { AgentRuntime } from "../turn/agent.ts";

/** In these nothing runs without a word that would not by default. */
const ASKS_ALL: ReadonlySet<string> = new Set(["default", "plan", "dontAsk"]);

/** An agent that has no modes ignores those that Claude has, and knows no others. */
const IGNORED: AgentMode[] = PERMISSION_MODES.map((id) => ({
  id,
  label: id,
  asks: ASKS_ALL.has(id) ? "all" : "less",
}));

/** A mode by the name that the agent has for it; without a name, the one that is its first. */
export function modeOf(
  agent: Pick<AgentRuntime, "name" | "offers">,
  id: string | undefined,
): AgentMode {
  const own = agent.offers?.().modes;
  const modes = own ?? IGNORED;
  const found = id === undefined ? modes[0] : modes.find((mode) => mode.id === id);
  if (found) return found;
  const others = modes.map((mode) => mode.id).join(", ");
  const known = own ? `Choose one of: ${others}.` : "It has no modes; leave it out.";
  throw new ProtocolError("invalid_request", `${agent.name} has no mode "${id}". ${known}`, {
    issues: [{ path: "permissionMode", message: "unknown mode" }],
  });
}

import type { AgentMode } from "../../protocol/index.ts";

/** How Claude Code may ask, by its own names and in words that say what each means. */
export const MODES: AgentMode[] = [
  { id: "default", label: "Ask first", asks: "all" },
  { id: "acceptEdits", label: "Edit without asking", asks: "less" },
  { id: "plan", label: "Plan first", asks: "all" },
  { id: "dontAsk", label: "Deny what would ask", asks: "all" },
  { id: "auto", label: "Let the agent judge", asks: "nothing" },
  { id: "bypassPermissions", label: "Never ask", asks: "nothing" },
];

import type { PermissionMode } from "../../src/protocol/index.ts";

/** How an agent asks, in words that say what it means for you. */
export const MODE_NAMES: Record<PermissionMode, string> = {
  default: "Ask first",
  acceptEdits: "Edit without asking",
  plan: "Plan first",
  dontAsk: "Deny what would ask",
  auto: "Let the agent judge",
  bypassPermissions: "Never ask",
};

/** Modes in which something runs that nobody was asked about. */
export const ASKS_LESS: ReadonlySet<PermissionMode> = new Set(["auto", "bypassPermissions"]);

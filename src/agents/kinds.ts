import { claudeKind } from "./claude/kind.ts";
import { claudeCliKind } from "./claude-cli/kind.ts";
import { codexKind } from "./codex/kind.ts";
import { demoAgent } from "./demo/index.ts";
import type { AgentKind } from "./kind.ts";

/**
 * Every agent that `beckon serve` has, in the order in which people see them. The settings, the
 * server, the page, `beckon setup` and the reference are made from this list.
 */
export const AGENT_KINDS: AgentKind[] = [
  { id: demoAgent.id, create: () => demoAgent },
  claudeKind,
  claudeCliKind,
  codexKind,
];

import { z } from "zod";
import { CLAUDE_SETTINGS } from "../claude/settings.ts";
import { defineAgentKind } from "../kind.ts";
import { createClaudeCliAgent } from "./index.ts";

export const claudeCliKind = defineAgentKind({
  id: "claude-cli",
  settings: z.strictObject({
    ...CLAUDE_SETTINGS,
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
  }),
  create: createClaudeCliAgent,
});

import { z } from "zod";
import { defineAgentKind } from "../kind.ts";
import { createClaudeAgent } from "./index.ts";
import { CLAUDE_SETTINGS } from "./settings.ts";

export const claudeKind = defineAgentKind({
  id: "claude",
  settings: z.strictObject({
    ...CLAUDE_SETTINGS,
    sdkPath: z.string().optional(),
    durableAsk: z.boolean().optional(),
  }),
  create: (options, { installFolder: sdkFolder }) =>
    createClaudeAgent({ ...options, ...(sdkFolder === undefined ? {} : { sdkFolder }) }),
});

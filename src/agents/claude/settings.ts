import { z } from "zod";

/** What both agents that are Claude Code take from settings.json. */
export const CLAUDE_SETTINGS = {
  cwd: z.string().optional(),
  model: z.string().optional(),
  settingSources: z.array(z.enum(["user", "project", "local"])).optional(),
  ask: z.array(z.string()).optional(),
  timeoutMs: z.number().min(1_000).nullable().optional(),
  env: z.record(z.string(), z.string()).optional(),
};

import { z } from "zod";
import { defineAgentKind } from "../kind.ts";
import { createCodexAgent } from "./index.ts";

export const codexKind = defineAgentKind({
  id: "codex",
  settings: z.strictObject({
    command: z.string().min(1).optional(),
    cwd: z.string().optional(),
    model: z.string().optional(),
    sandbox: z.enum(["read-only", "workspace-write", "danger-full-access"]).optional(),
    network: z.boolean().optional(),
    config: z.record(z.string(), z.unknown()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
  create: createCodexAgent,
});

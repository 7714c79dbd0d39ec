import { z } from "zod";

/** Something that an agent offers, by the agent's own name for it. */
export const AgentChoice = z.looseObject({
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
});
export type AgentChoice = z.infer<typeof AgentChoice>;

export const AgentMode = z.looseObject({
  ...AgentChoice.shape,
  /** What people are still asked: `all` as without it, `less`, or `nothing` but questions. */
  asks: z.enum(["all", "less", "nothing"]),
});
export type AgentMode = z.infer<typeof AgentMode>;

export const AgentRecord = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  capabilities: z.looseObject({
    reenter: z.enum(["replay", "native", "none"]),
    steer: z.boolean(),
    /** The ids of `modes`. */
    modes: z.array(z.string()).optional(),
    unasked: z.boolean().optional(),
    folderRules: z.boolean().optional(),
  }),
  /** Whether what it needs is on the server's machine. */
  installed: z.boolean(),
  /** Where it is not: how to get it. */
  install: z.looseObject({ sentence: z.string(), command: z.string() }).optional(),
  /** The first one is what a session gets that names none. */
  modes: z.array(AgentMode).optional(),
  models: z.array(AgentChoice).optional(),
  commands: z.array(AgentChoice).optional(),
});
export type AgentRecord = z.infer<typeof AgentRecord>;

import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** What a call does to one file: both texts where the runtime has them, else how they differ. */
export const FileChange = z.looseObject({
  path: z.string().min(1),
  kind: z.enum(["add", "edit", "delete", "move"]),
  /** Of a move: the path after it. */
  to: z.string().optional(),
  oldText: z.string().optional(),
  newText: z.string().optional(),
  /** Hunks of a unified diff of this one file; its `@@` lines may be without numbers. */
  diff: z.string().optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/** What a call is about, as its runtime tells it beside the input. */
export const CallAbout = z.looseObject({
  title: z.string().max(LIMITS.promptCharacters).optional(),
  /** What sort of thing it does, in the runtime's own word: `read`, `edit`, `execute`. */
  kind: z.string().max(LIMITS.idCharacters).optional(),
  /** The files that it works on. */
  locations: z
    .array(z.looseObject({ path: z.string(), line: z.number().int().nonnegative().optional() }))
    .optional(),
  changes: z.array(FileChange).optional(),
});
export type CallAbout = z.infer<typeof CallAbout>;

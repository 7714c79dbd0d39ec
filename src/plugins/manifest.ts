import { z } from "zod";
import { schemaProblems } from "../core/index.ts";
import { ApprovalScope, LIMITS, Presentation } from "../protocol/index.ts";

/** Names of plugins and operations; they become parts of tool names and addresses. */
export const PluginId = z
  .string()
  .regex(
    new RegExp(`^[a-z0-9][a-z0-9-]{0,${LIMITS.idCharacters - 1}}$`),
    `must be 1 to ${LIMITS.idCharacters} small letters, digits or hyphens, and not begin with a hyphen`,
  );

const JsonSchema = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  for (const { path, message } of schemaProblems(schema)) {
    context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
  }
});

/** Arguments and settings are objects: a schema for anything else would refuse all of them. */
const ObjectSchema = JsonSchema.refine(
  ({ type }) => type === undefined || [type].flat().includes("object"),
  { path: ["type"], message: 'must be "object"' },
);

const OperationManifest = z.looseObject({
  id: PluginId,
  summary: z.string().min(1),
  /** JSON Schema of its arguments. */
  inputSchema: ObjectSchema,
  /** JSON Schema of its result. */
  outputSchema: JsonSchema.optional(),
  /** How long it may take, without the time in which it waits for people. */
  timeoutMs: z.number().min(1).max(LIMITS.timeoutMaxMs).optional(),
  durable: z.enum(["replay", "orphan"]).optional(),
  presentation: Presentation.optional(),
  /** It does nothing but ask people and give back what they say. */
  onlyAsks: z.boolean().optional(),
  /** A person must approve each call, unless a remembered approval covers the same arguments. */
  approval: z
    .strictObject({
      prompt: z.string().min(1).optional(),
      scopes: z.array(ApprovalScope).min(1).optional(),
      editable: z.boolean().optional(),
    })
    .optional(),
});
export type OperationManifest = z.infer<typeof OperationManifest>;

/** What a plugin says about itself in its `manifest.json`. */
export const PluginManifest = z.looseObject({
  id: PluginId,
  version: z.string().min(1),
  description: z.string().optional(),
  /** JSON Schema of its settings. */
  settingsSchema: ObjectSchema.optional(),
  operations: z
    .array(OperationManifest)
    .min(1)
    .refine(
      (operations) => new Set(operations.map(({ id }) => id)).size === operations.length,
      "two operations have the same id",
    ),
});
export type PluginManifest = z.infer<typeof PluginManifest>;

/** The tool that an operation is. */
export function toolNameOf(pluginId: string, operationId: string): string {
  return `${pluginId}_${operationId}`.replaceAll("-", "_");
}

import { defineTool } from "../../../core/index.ts";

/** An approval with every scope. Nothing is deleted: it only shows what being asked is like. */
export const tourDelete = defineTool<{ file: string }>({
  name: "tour_delete",
  description: "Part of /tour: asks before it pretends to delete a file.",
  version: "1",
  durable: "replay",
  parameters: {
    type: "object",
    properties: { file: { type: "string", minLength: 1 } },
    required: ["file"],
    additionalProperties: false,
  },
  approval: {
    prompt: ({ file }) => `Delete ${file}?`,
    scopes: ["once", "session", "always"],
    timeoutMs: null,
  },
  handler: ({ file }) => ({ ok: true, pretended: true, deleted: file }),
});

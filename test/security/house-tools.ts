import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, type ToolDefinition } from "../../src/beckon.ts";
import type { Field } from "../../src/protocol/index.ts";

const FIELDS: Field[] = [
  { id: "name", type: "text", label: "Name", required: true, pattern: "^(a+)+$" },
  { id: "size", type: "select", label: "Size", options: [{ value: "s", label: "S" }] },
  { id: "password", type: "secret", label: "Password" },
];

/** What each tool asks; all wait for ever and give back what they got. */
const REQUESTS = {
  approval: { type: "approval", editable: false, approvalScopes: ["once"] },
  choice: {
    type: "approval",
    approvalScopes: ["once", "session"],
    approvalOptions: [
      { id: "yes", label: "Yes", decision: "approve" },
      { id: "no", label: "No", decision: "deny" },
    ],
  },
  form: { type: "input", inputSchema: { type: "form", fields: FIELDS } },
} as const;

export const TOOLS: ToolDefinition[] = [
  ...Object.entries(REQUESTS).map(([name, request]) =>
    defineTool({
      name: `house_${name}`,
      description: `Asks for ${name}`,
      parameters: { type: "object" },
      durable: "replay",
      handler: (_args, ctx) =>
        ctx.requestInteraction({
          ...(structuredClone(request) as { type: "approval" }),
          timeoutMs: null,
          onResponse: ({ action, approvalScope }) => ({ complete: { action, approvalScope } }),
        }),
    }),
  ),
  defineTool({
    name: "house_granted",
    description: "Remembers an approval",
    parameters: { type: "object" },
    durable: "replay",
    handler: (_args, ctx) =>
      ctx.requestInteraction({
        type: "approval",
        approvalScopes: ["always"],
        timeoutMs: null,
        async onResponse() {
          await ctx.approvals.set("key", "always");
          return { complete: "remembered" };
        },
      }),
  }),
];

/** Writes a plugin with one operation that gives back its arguments. */
export function writePlugin(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const operations = [{ id: "echo", summary: "Echoes.", inputSchema: { type: "object" } }];
  const manifest = { id: "house", version: "1", operations };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder, "index.js"),
    "export default { operations: { echo: (args) => args } };",
  );
}

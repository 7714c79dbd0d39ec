import { toolNameOf } from "./manifest.ts";

/*
 * What `beckon plugin new` writes: a plugin that works, is tested, and shows what most plugins
 * need: arguments, a setting, a form that asks again, a result that is checked.
 */

/** The files of a new plugin, by name. @param beckon what its tests depend on, as npm writes it */
export function scaffold(id: string, beckon: string): Record<string, string> {
  return {
    "manifest.json": json(manifest(id)),
    "index.js": CODE,
    "index.test.js": TEST,
    "package.json": json({
      name: id,
      private: true,
      type: "module",
      scripts: { test: "node --test" },
      devDependencies: { beckon },
    }),
    "README.md": readme(id),
  };
}

/** What the demo agent is sent to call the operation of a new plugin. */
export function firstMessage(id: string): string {
  return `/call ${toolNameOf(id, "collect-note")} {"subject":"lunch"}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function manifest(id: string) {
  return {
    id,
    version: "0.1.0",
    description: "Collects notes from people.",
    settingsSchema: {
      type: "object",
      properties: { shortest: { type: "integer", minimum: 1, default: 3 } },
      additionalProperties: false,
    },
    operations: [
      {
        id: "collect-note",
        summary: "Asks a person for a note about a subject, and returns it.",
        durable: "replay",
        presentation: "questionnaire",
        inputSchema: {
          type: "object",
          properties: {
            subject: { type: "string", minLength: 1, description: "What the note is about" },
          },
          required: ["subject"],
          additionalProperties: false,
        },
        outputSchema: {
          type: "object",
          properties: { ok: { type: "boolean" }, note: { type: "string" } },
          required: ["ok"],
          additionalProperties: false,
        },
      },
    ],
  };
}

const CODE = `/**
 * Called once when the server starts. What it holds, its operations reach by closure.
 *
 * @param {import("beckon/plugin").PluginSetup<{ shortest: number }>} setup
 * @returns {import("beckon/plugin").PluginInstance}
 */
export default function plugin({ settings }) {
  return {
    operations: {
      /**
       * @param {{ subject: string }} args as the manifest's inputSchema says
       * @param {import("beckon/plugin").OperationContext} ctx
       */
      "collect-note": ({ subject }, ctx) =>
        ctx.requestInteraction({
          type: "input",
          prompt: "A note about " + subject,
          inputSchema: {
            type: "form",
            fields: [{ id: "note", type: "textarea", label: "Note", required: true }],
          },
          onResponse({ action, input = {} }) {
            if (action !== "submit") return { complete: { ok: false } };
            const note = String(input.note).trim();
            if (note.length >= settings.shortest) return { complete: { ok: true, note } };
            return {
              reprompt: {
                type: "input",
                error: "That is too short.",
                fieldErrors: { note: "Write " + settings.shortest + " characters or more." },
              },
            };
          },
        }),
    },
  };
}
`;

const TEST = `import assert from "node:assert/strict";
import test from "node:test";
import { checkDurableTool, loadPluginTools } from "beckon/testing";

test("a note that is too short is asked for again, and a restart loses nothing", async () => {
  const plugin = await loadPluginTools(import.meta.dirname);
  const report = await checkDurableTool(plugin.operation("collect-note"), {
    args: { subject: "lunch" },
    answers: [
      { action: "submit", input: { note: "ok" } },
      { action: "submit", input: { note: "Good soup" } },
    ],
  });
  await plugin.close();
  assert.ok(report.ok, String(report));
  assert.deepEqual(report.end, { ok: true, result: { ok: true, note: "Good soup" } });
});
`;

function readme(id: string): string {
  return `# ${id}

A plugin for Beckon. \`manifest.json\` says what it offers, \`index.js\` does it.

\`\`\`sh
beckon plugin check .                     # is everything in order?
npm install && npm test                   # its own test
beckon serve --plugins . --watch-plugins  # try it; every edit is there at once
beckon call ${id} collect-note '{"subject":"lunch"}'
beckon plugin skill . --write             # a SKILL.md, for agents that read skills
\`\`\`

In the demo agent: \`${firstMessage(id)}\`
`;
}

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPlugins } from "./find-plugins.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "beckon-find-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Record<string, unknown>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

const operation = { id: "greet", summary: "Says hello", inputSchema: {} };
const manifest = { id: "sound", version: "1", operations: [operation] };
const bad = { ...manifest, id: "bad" };

test("a directory is a plugin, or holds plugins; hidden folders and dependencies are not looked at", async () => {
  await write({
    "sound/manifest.json": manifest,
    "sound/index.mjs": "",
    ".hidden/index.js": "",
    "node_modules/index.js": "",
    "notes/readme.md": "",
  });
  const entry = join(root, "sound", "index.mjs");
  for (const directory of [root, join(root, "sound")]) {
    expect(await findPlugins([directory])).toEqual({
      found: [{ manifest, folder: join(root, "sound"), entry }],
      problems: [],
    });
  }
});

test.each<[string, Record<string, unknown>, string]>([
  ["no manifest", { "index.js": "" }, "manifest.json cannot be read"],
  ["a manifest that is not JSON", { "manifest.json": "{" }, "is not valid JSON"],
  ["a bad id", { "manifest.json": { ...manifest, id: "Bad_Id" } }, "id: must be 1 to 64 small"],
  ["no operations", { "manifest.json": { ...bad, operations: [] } }, "operations: "],
  [
    "an operation twice",
    { "manifest.json": { ...bad, operations: [operation, operation] } },
    "operations: two operations have the same id",
  ],
  [
    "arguments that are no schema",
    {
      "manifest.json": { ...bad, operations: [{ ...operation, inputSchema: { type: "objekt" } }] },
    },
    "operations.0.inputSchema.type: must be one of string, number,",
  ],
  [
    "arguments that are no object",
    {
      "manifest.json": { ...bad, operations: [{ ...operation, inputSchema: { type: "string" } }] },
    },
    'operations.0.inputSchema.type: must be "object"',
  ],
  [
    "a result that is no schema",
    { "manifest.json": { ...bad, operations: [{ ...operation, outputSchema: { enum: 1 } }] } },
    "operations.0.outputSchema.enum: must be a list",
  ],
  [
    "settings that are no schema",
    { "manifest.json": { ...bad, settingsSchema: { properties: { key: "string" } } } },
    "settingsSchema.properties.key: must be a schema",
  ],
  ["no code", { "manifest.json": bad }, "no index.js or index.mjs"],
])(
  "a plugin with %s is reported by its name; the others are found",
  async (_what, files, problem) => {
    await write(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`bad/${name}`, text])),
    );
    await write({ "sound/manifest.json": manifest, "sound/index.js": "" });
    const { found, problems } = await findPlugins([root]);
    expect(problems).toEqual([
      { plugin: "bad", folder: join(root, "bad"), message: expect.stringContaining(problem) },
    ]);
    expect(found.map((plugin) => plugin.manifest.id)).toEqual(["sound"]);
  },
);

test("a directory that is not there, or holds no plugin, is reported", async () => {
  const { problems } = await findPlugins([join(root, "missing"), root]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining("There is no folder"),
    expect.stringContaining("There is no plugin in"),
  ]);
});

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Log, ToolContext } from "../core/index.ts";
import { loadPlugins, type LoadPluginsOptions } from "./loader.ts";

let root: string;
let logged: [Record<string, unknown>, string][];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "beckon-plugins-"));
  logged = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const note = (details: Record<string, unknown>, message: string) =>
  void logged.push([details, message]);
const log: Log = { info: note, warn: note, error: note };

const CODE = "export default { operations: { greet: (args) => `Hello ${args.name}` } };";

function manifest(id: string, more: Record<string, unknown> = {}) {
  const greet = { id: "greet", summary: "Says hello", inputSchema: { type: "object" } };
  return { id, version: "1.2.0", operations: [greet], ...more };
}

/** Writes a plugin's folder. */
async function plugin(
  folder: string,
  { about = manifest(folder), code = CODE, entry = "index.js" } = {},
): Promise<string> {
  const path = join(root, folder);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "manifest.json"), JSON.stringify(about));
  await writeFile(join(path, entry), code);
  return path;
}

const load = (directories = [root], options: Partial<LoadPluginsOptions> = {}) =>
  loadPlugins(directories, { pluginsDataDir: join(root, ".data"), log, ...options });

const ctx = {} as ToolContext;

test("a plugin's folder gives its operations as tools", async () => {
  const plugins = await load([await plugin("say-hello")]);
  expect(plugins.problems).toEqual([]);
  const [tool] = plugins.tools;
  expect(tool).toMatchObject({
    name: "say_hello_greet",
    description: "Says hello",
    version: "1.2.0",
    parameters: { type: "object" },
  });
  expect(await tool?.handler({ name: "you" } as never, ctx)).toBe("Hello you");
});

test("a folder of plugins gives all of them, by name, and passes over other folders", async () => {
  await plugin("b", { entry: "index.mjs" });
  await plugin("a", { code: "module.exports = { operations: { greet() {} } };" });
  await mkdir(join(root, "notes"));
  const plugins = await load();
  expect(plugins.problems).toEqual([]);
  expect(plugins.list().map(({ id }) => id)).toEqual(["a", "b"]);
});

test("the directory tells what there is and which tool an operation is", async () => {
  const operation = {
    id: "greet",
    summary: "Says hello",
    inputSchema: {},
    durable: "replay",
    presentation: "questionnaire",
  };
  await plugin("p", { about: manifest("p", { description: "Polite", operations: [operation] }) });
  const plugins = await load();
  expect(plugins.list()).toEqual([
    {
      id: "p",
      version: "1.2.0",
      description: "Polite",
      operations: [{ ...operation, toolName: "p_greet" }],
    },
  ]);
  expect(plugins.tools[0]).toMatchObject({ durable: "replay", presentation: "questionnaire" });
  expect(plugins.toolFor("p", "greet")).toBe("p_greet");
  expect(plugins.toolFor("p", "constructor")).toBeUndefined();
  expect(plugins.toolFor("q", "greet")).toBeUndefined();
});

test("a plugin that is a function is called once, and its operations share its state", async () => {
  await plugin("counter", {
    code: `export default async ({ settings, dataDir, log }) => {
      let count = settings.start;
      log.info({ dataDir }, "ready");
      return { operations: { greet: () => ++count } };
    };`,
  });
  const plugins = await load([root], { settings: { counter: { start: 5 } } });
  const call = () => plugins.tools[0]?.handler({} as never, ctx);
  expect([await call(), await call()]).toEqual([6, 7]);
  const dataDir = join(root, ".data", "counter");
  expect(logged).toEqual([[{ dataDir, plugin: "counter" }, "ready"]]);
  expect(existsSync(dataDir)).toBe(true);
});

test("a plugin that does not ask for its data folder gets none", async () => {
  await plugin("p", { code: "export default () => ({ operations: { greet() {} } });" });
  await load();
  expect(existsSync(join(root, ".data"))).toBe(false);
});

test("an operation that needs approval says so in its manifest", async () => {
  const approval = { prompt: "Really?", scopes: ["once" as const], editable: true };
  const operations = [{ id: "greet", summary: "Says hello", inputSchema: {}, approval }];
  await plugin("p", { about: manifest("p", { operations }) });
  const [tool] = (await load()).tools;
  expect(tool?.approval).toMatchObject({ scopes: ["once"], editable: true });
  expect(tool?.approval?.prompt?.({} as never)).toBe("Really?");
});

test("an approval with a word that we do not know is refused: it might mean less than its author thinks", async () => {
  const operations = [
    { id: "greet", summary: "Says hello", inputSchema: {}, approval: { scope: "once" } },
  ];
  await plugin("p", { about: manifest("p", { operations }) });
  expect((await load()).problems[0]?.message).toContain("approval");
});

test.each<[string, Parameters<typeof plugin>[1], string]>([
  ["has a syntax error", { code: "export default {" }, "yntax"],
  ["throws on import", { code: "throw new Error('boom');" }, "Error: boom"],
  ["throws nonsense", { code: "throw undefined;" }, "undefined"],
  [
    "has a factory that throws",
    { code: "export default () => { throw new Error('boom') };" },
    "boom",
  ],
  ["exports nothing", { code: "export const a = 1;" }, "default export must be"],
  ["returns nothing", { code: "export default () => undefined;" }, "default export must be"],
  [
    "lacks an operation",
    { code: "export default { operations: {} };" },
    'names the operation "greet"',
  ],
  [
    "has an operation too many",
    { code: "export default { operations: { greet() {}, other() {} } };" },
    'has the operation "other"',
  ],
  [
    "has a shutdown that is no function",
    { code: "export default { operations: { greet() {} }, shutdown: 1 };" },
    "shutdown must be a function",
  ],
  [
    "has a tool name that is too long",
    { about: manifest("x".repeat(60)) },
    "longer than 64 characters",
  ],
])(
  "a plugin that %s is reported and skipped; the others are there",
  async (_what, parts, problem) => {
    await plugin("broken", parts);
    await plugin("sound");
    const plugins = await load();
    expect(plugins.problems).toHaveLength(1);
    expect(plugins.problems[0]?.message).toContain(problem);
    expect(plugins.list().map(({ id }) => id)).toEqual(["sound"]);
  },
);

test.each([
  ["a factory", "export default () => new Promise(() => {});"],
  ["an import", "await new Promise(() => {}); export default {};"],
])("%s that never settles is given up", async (_what, code) => {
  const plugins = await load([await plugin("stuck", { code })], { startTimeoutMs: 1 });
  expect(plugins.problems).toEqual([
    { plugin: "stuck", message: "It was not ready after 0.001 seconds." },
  ]);
});

test("of two plugins with one id the first stays", async () => {
  const first = await plugin("first", { about: manifest("same") });
  const second = await plugin("second", { about: manifest("same") });
  const plugins = await load([first, second]);
  expect(plugins.list()).toHaveLength(1);
  expect(plugins.problems).toEqual([
    { plugin: "same", message: expect.stringContaining("has the same id as") },
  ]);
});

test("a plugin may not take the name of a tool that exists", async () => {
  const operations = [{ id: "b-greet", summary: "Says hello", inputSchema: {} }];
  const code = "export default { operations: { 'b-greet'() {} } };";
  const first = await plugin("a", { about: manifest("a", { operations }), code });
  const second = await plugin("a-b");
  const third = await plugin("ask");
  const plugins = await load([first, second, third], { takenTools: ["ask_greet"] });
  expect(plugins.tools.map(({ name }) => name)).toEqual(["a_b_greet"]);
  expect(plugins.problems.map(({ plugin }) => plugin)).toEqual(["a-b", "ask"]);
});

const withShutdown = (body: string) =>
  `export default ({ log }) => ({ operations: { greet() {} }, shutdown() { ${body} } });`;

test("shutdown reaches every plugin, whatever one of them does", async () => {
  await plugin("bad", { code: withShutdown("throw new Error('no')") });
  await plugin("good", { code: withShutdown("log.info({}, 'bye')") });
  await plugin("hangs", { code: withShutdown("return new Promise(() => {})") });
  await plugin("none");
  const plugins = await load([root], { shutdownTimeoutMs: 1 });
  await plugins.shutdown();
  expect(logged.map(([{ plugin }, message]) => [plugin, message])).toEqual(
    expect.arrayContaining([
      ["good", "bye"],
      ["bad", "A plugin did not shut down."],
      ["hangs", "A plugin did not shut down."],
    ]),
  );
});

const SETTINGS = {
  type: "object",
  properties: {
    retries: { type: "integer", default: 3 },
    server: {
      type: "object",
      default: {},
      properties: { host: { type: "string", default: "localhost" } },
    },
    key: { type: "string" },
  },
  additionalProperties: false,
};
const SHOWS_SETTINGS =
  "export default ({ settings }) => ({ operations: { greet: () => settings } });";

test("settings are filled up from the defaults of their schema, at every level", async () => {
  await plugin("p", { about: manifest("p", { settingsSchema: SETTINGS }), code: SHOWS_SETTINGS });
  const plugins = await load([root], { settings: { p: { key: "k" } } });
  expect(await plugins.tools[0]?.handler({} as never, ctx)).toEqual({
    key: "k",
    retries: 3,
    server: { host: "localhost" },
  });
  expect(plugins.list()).toMatchObject([{ settingsSchema: SETTINGS }]);
});

test("a plugin with wrong settings is skipped before its code runs, and each setting is named", async () => {
  const about = manifest("p", { settingsSchema: SETTINGS });
  await plugin("p", { about, code: "throw new Error('ran');" });
  const plugins = await load([root], { settings: { p: { retries: "3", kee: 1 } } });
  expect(plugins.problems).toEqual([
    {
      plugin: "p",
      message:
        "Its settings are not right: retries must be a whole number, not text; kee is not a known field. Mend them in settings.json, under plugins.p.",
    },
  ]);
});

test("settings without a schema reach the plugin as they are", async () => {
  await plugin("p", { code: SHOWS_SETTINGS });
  const plugins = await load([root], { settings: { p: { anything: [1] } } });
  expect(await plugins.tools[0]?.handler({} as never, ctx)).toEqual({ anything: [1] });
});

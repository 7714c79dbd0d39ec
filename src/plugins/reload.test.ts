import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Log, ToolContext } from "../core/index.ts";
import { loadPlugins } from "./loader.ts";
import { createToolRegistry } from "./registry.ts";

let root: string;
let logged: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "beckon-reload-"));
  logged = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const note = (_details: Record<string, unknown>, message: string) => void logged.push(message);
const log: Log = { info: note, warn: note, error: note };
const ctx = {} as ToolContext;

/** Writes a plugin whose one operation gives `says`, or runs `body`. */
async function write(
  folder: string,
  { says = "", body = `return ${JSON.stringify(says)};`, operation = "say", id = folder } = {},
): Promise<string> {
  const path = join(root, folder);
  await mkdir(path, { recursive: true });
  const operations = [{ id: operation, summary: "Says it.", inputSchema: {} }];
  const manifest = { id, version: "1", operations };
  await writeFile(join(path, "manifest.json"), JSON.stringify(manifest));
  await writeFile(
    join(path, "index.mjs"),
    `export default ({ log }) => ({
       operations: { async ${operation}(args) { ${body} } },
       shutdown() { log.info({}, ${JSON.stringify(`bye ${says}`)}); },
     });`,
  );
  return path;
}

async function start() {
  const plugins = await loadPlugins([root], { pluginsDataDir: join(root, ".data"), log });
  const registry = createToolRegistry([], plugins);
  return {
    plugins,
    names: () => registry.list().map(({ name }) => name),
    call: async (name: string, args: unknown = {}) =>
      registry.get(name)?.handler(args as never, ctx),
    changed: async (...folders: string[]) =>
      (await plugins.reload(new Set(folders))).map(({ message }) => message),
  };
}

test("a plugin that was changed is loaded anew, and the others are left alone", async () => {
  const one = await write("one", { says: "first" });
  await write("two", { says: "second" });
  const { call, changed } = await start();
  await write("one", { says: "third" });
  await write("two", { says: "not looked at" });
  expect(await changed(one)).toEqual(["The plugin one was loaded anew."]);
  expect(await call("one_say")).toBe("third");
  expect(await call("two_say")).toBe("second");
  expect(logged).toEqual(["bye first"]);
});

test("new operations are there, and removed ones are not", async () => {
  const one = await write("one", { says: "a" });
  const { plugins, names, changed } = await start();
  await write("one", { says: "b", operation: "tell" });
  await changed(one);
  expect(names()).toEqual(["one_tell"]);
  expect(plugins.toolFor("one", "say")).toBeUndefined();
  expect(plugins.list()).toMatchObject([{ id: "one", operations: [{ id: "tell" }] }]);
});

test("plugins come and go with their folders", async () => {
  const one = await write("one", { says: "a" });
  const { names, changed } = await start();
  const two = await write("two", { says: "b" });
  expect(await changed(two)).toEqual(["The plugin two was loaded."]);
  expect(names()).toEqual(["one_say", "two_say"]);
  await rm(one, { recursive: true });
  expect(await changed(one)).toEqual(["The plugin one is gone."]);
  expect(names()).toEqual(["two_say"]);
  expect(logged).toEqual(["bye a"]);
});

test("a broken edit keeps the plugin as it was, says why, and the next edit mends it", async () => {
  const one = await write("one", { says: "a" });
  const { plugins, call, changed } = await start();
  await writeFile(join(one, "index.mjs"), "export default {");
  expect(await changed(one)).toEqual([
    expect.stringMatching(
      /^The plugin one stays as it was, because it cannot be used as it is now: .*index\.mjs failed\. /,
    ),
  ]);
  expect(await call("one_say")).toBe("a");
  expect(plugins.problems).toHaveLength(1);
  await writeFile(join(one, "manifest.json"), "{");
  expect(await changed(one)).toEqual([expect.stringMatching(/stays as it was.*not valid JSON/)]);
  expect(await call("one_say")).toBe("a");
  await write("one", { says: "b" });
  await changed(one);
  expect(await call("one_say")).toBe("b");
  expect(plugins.problems).toEqual([]);
});

test("an edit that takes another plugin's id is refused, whichever comes first", async () => {
  const one = await write("one", { says: "a" });
  await write("two", { says: "b" });
  const { names, changed } = await start();
  await write("one", { says: "c", id: "two" });
  expect(await changed(one)).toEqual([expect.stringMatching(/^The plugin one stays.*same id as/)]);
  expect(names()).toEqual(["one_say", "two_say"]);
});

test("a call that is running goes on with its code, which is shut down after it", async () => {
  const held = "await new Promise((resolve) => args.hold(resolve)); return 'old';";
  const one = await write("one", { says: "old", body: held });
  const { call, changed } = await start();
  let release = () => {};
  const running = call("one_say", { hold: (resolve: () => void) => (release = resolve) });
  await write("one", { says: "new" });
  await changed(one);
  expect(await call("one_say")).toBe("new");
  expect(logged).toEqual([]);
  release();
  expect(await running).toBe("old");
  await new Promise((resolve) => setImmediate(resolve));
  expect(logged).toEqual(["bye old"]);
});

test("what still runs when the server stops is shut down then, once", async () => {
  const one = await write("one", { says: "old", body: "return new Promise(() => {});" });
  const { plugins, call, changed } = await start();
  void call("one_say");
  await write("one", { says: "new" });
  await changed(one);
  await plugins.shutdown();
  expect(logged.toSorted()).toEqual(["bye new", "bye old"]);
});

test("a plugin of several CommonJS files is loaded anew as a whole", async () => {
  // Reached by a link: Node knows it by where it really is.
  const one = join(root, "one");
  await mkdir(join(root, ".elsewhere", "lib"), { recursive: true });
  await symlink(join(root, ".elsewhere"), one);
  const operations = [{ id: "say", summary: "Says it.", inputSchema: {} }];
  const manifest = { id: "one", version: "1", operations };
  await writeFile(join(one, "manifest.json"), JSON.stringify(manifest));
  const code =
    "const lib = require('./lib/a.js'); module.exports = { operations: { say: () => lib } };";
  await writeFile(join(one, "index.js"), code);
  await writeFile(join(one, "lib", "a.js"), "module.exports = require('./b.js');");
  await writeFile(join(one, "lib", "b.js"), "module.exports = 'a';");
  const { call, changed } = await start();
  for (const word of ["b", "c"]) {
    await writeFile(join(one, "lib", "b.js"), `module.exports = "${word}";`);
    await changed(one);
    expect(await call("one_say")).toBe(word);
  }
});

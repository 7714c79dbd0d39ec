import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { Client } from "../scenarios/client.ts";

/*
 * Everything that can be wrong with a plugin, on one server that has all of them. Whoever reads
 * what is said about it finds one sentence with the plugin's name.
 */

const root = mkdtempSync(join(tmpdir(), "beckon-plugin-faults-"));
const folder = join(root, "plugins");
const operation = { id: "run", summary: "Runs.", inputSchema: { type: "object" } };

function write(
  name: string,
  manifest: unknown,
  code = "export default { operations: { run() {} } };",
) {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  if (manifest !== undefined) {
    const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
    writeFileSync(join(place, "manifest.json"), text);
  }
  writeFileSync(join(place, "index.mjs"), code);
}

const about = (id: string, more: object = {}, rest: object = {}) => ({
  id,
  version: "1",
  operations: [{ ...operation, ...more }],
  ...rest,
});
const code = (body: string) => `export default { operations: { run(args, ctx) { ${body} } } };`;

/** What stops a plugin from being loaded: its folder, and what is said. */
const AT_LOAD: [what: string, plugin: string, message: RegExp][] = [
  ["a missing manifest", "no-manifest", /manifest\.json cannot be read\.$/],
  ["a manifest that is no JSON", "no-json", /manifest\.json is not valid JSON: /],
  [
    "arguments that are no schema",
    "bad-input",
    /not a valid manifest\. operations\.0\.inputSchema\.properties\.name\.type: must be one of/,
  ],
  [
    "a result that is no schema",
    "bad-output",
    /not a valid manifest\. operations\.0\.outputSchema\.required: must be a list of names/,
  ],
  [
    "wrong settings",
    "bad-settings",
    /^Its settings are not right: key is required; retries must be a whole number, not text\. /,
  ],
  ["code that throws", "throws-at-start", /index\.mjs failed\. Error: no luck$/],
  ["an operation without code", "no-code", /names the operation "run", but its code has none\.$/],
  ["an id that is taken", "sound", /has the same id as .*, which is used\.$/],
];

/** What goes wrong in a call: the plugin, and how the call ends. */
const IN_CALLS: [what: string, plugin: string, code: string, message: RegExp][] = [
  [
    "a handler that throws",
    "throws",
    "tool_error",
    /^The plugin throws failed in "run": no luck at all$/,
  ],
  [
    "a handler that rejects with nothing",
    "rejects",
    "tool_error",
    /^The plugin rejects failed in "run": undefined$/,
  ],
  [
    "a hook that throws",
    "hook-throws",
    "tool_error",
    /^The plugin hook-throws failed in "run": Nobody /,
  ],
  [
    "a handler that never settles",
    "hangs",
    "tool_timeout",
    /^The plugin hangs did not finish hangs_run within 0\.05 seconds of its own work\.$/,
  ],
  [
    "a result that does not fit",
    "wrong-output",
    "invalid_output",
    /^The plugin wrong-output gave a result that does not fit the outputSchema of "run": count must be a number, not text\.$/,
  ],
  [
    "a result that is no JSON",
    "circular",
    "tool_error",
    /^The plugin circular failed in "run": Converting circular structure/,
  ],
  ["an error with a code of its own", "own-code", "no_paper", /^There is no paper\.$/],
];

let beckon: Beckon;
let url: string;
let sessionId: string;
const logged: string[] = [];

async function call(method: string, route: string, body?: unknown) {
  const response = await fetch(url + route, {
    method,
    headers: {
      authorization: `Bearer ${beckon.ownerToken}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(sessionId ? { "x-session-id": sessionId } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
}

const run = (plugin: string, args: object = {}) =>
  call("POST", `/api/plugins/${plugin}/operations/run`, args);

beforeAll(async () => {
  const typed = { type: "object", properties: { count: { type: "number" } } };
  write("a-sound", about("sound"), code("return { count: 1 };"));
  write("no-manifest", undefined);
  write("no-json", "{");
  const input = { type: "object", properties: { name: { type: "sting" } } };
  write("bad-input", about("bad-input", { inputSchema: input }));
  write("bad-output", about("bad-output", { outputSchema: { required: "count" } }));
  const settingsSchema = {
    type: "object",
    properties: { retries: { type: "integer" }, key: { type: "string" } },
    required: ["key"],
  };
  write("bad-settings", about("bad-settings", {}, { settingsSchema }));
  write("throws-at-start", about("throws-at-start"), "throw new Error('no luck');");
  write("no-code", about("no-code"), "export default { operations: {} };");
  write("z-sound", about("sound"));
  write("throws", about("throws"), code("throw new Error('no luck at all');"));
  write("rejects", about("rejects"), code("return Promise.reject();"));
  write("hook-throws", about("hook-throws"), code(HOOK_THROWS));
  write("hangs", about("hangs", { timeoutMs: 50 }), code("return new Promise(() => {});"));
  write("hangs-on", about("hangs-on"), code("return new Promise(() => {});"));
  write(
    "wrong-output",
    about("wrong-output", { outputSchema: typed }),
    code("return { count: 'x' };"),
  );
  const circular = code("const a = {}; a.a = a; return a;");
  write("circular", about("circular", { outputSchema: {} }), circular);
  const own = "throw Object.assign(new Error('There is no paper.'), { code: 'no_paper' });";
  write("own-code", about("own-code"), code(own));
  const strict = {
    type: "object",
    properties: { name: { type: "string" }, sizes: { type: "array", items: { minimum: 1 } } },
    required: ["name"],
    additionalProperties: false,
  };
  write("strict", about("strict", { inputSchema: strict }));
  const note = (details: object, message: string) =>
    void logged.push(`${JSON.stringify(details)} ${message}`);
  beckon = await createBeckon({
    dataDir: join(root, "data"),
    plugins: [folder],
    pluginSettings: { "bad-settings": { retries: "three" } },
    log: { info: note, warn: note, error: note },
  });
  ({ url } = await beckon.listen({ host: "127.0.0.1", port: 0 }));
  sessionId = String((await call("POST", "/api/sessions", {}))["id"]);
});
afterAll(async () => {
  await beckon.close();
  rmSync(root, { recursive: true, force: true });
});

const HOOK_THROWS = `
  return ctx.requestInteraction({
    type: "input",
    timeoutMs: 1_000,
    whenUnavailable: "wait",
    onResponse: () => ({ complete: null }),
    onTimeout() { throw new Error("Nobody thought of this."); },
  });`;

test.each(AT_LOAD)("a plugin with %s is skipped, by name", (_what, plugin, message) => {
  const said = beckon.pluginProblems.filter((problem) => problem.plugin === plugin);
  expect(said).toEqual([{ plugin, message: expect.stringMatching(message) }]);
});

test("each fault is said once, and no other", () => {
  expect(beckon.pluginProblems).toHaveLength(AT_LOAD.length);
});

test.each(IN_CALLS)(
  "%s ends its call in one sentence, and the server runs on",
  async (_what, plugin, code, error) => {
    expect(await run(plugin)).toEqual({ ok: false, code, error: expect.stringMatching(error) });
    expect(await run("sound")).toEqual({ ok: true, result: { count: 1 } });
  },
);

test("arguments that do not fit are named field by field, in words and as data", async () => {
  expect(await run("strict", { sizes: [3, 0], colour: "red" })).toEqual({
    ok: false,
    code: "invalid_arguments",
    error:
      "The arguments do not fit strict_run: name is required; sizes.1 must be at least 1; colour is not a known field.",
    issues: [
      { path: "name", message: "is required" },
      { path: "sizes.1", message: "must be at least 1" },
      { path: "colour", message: "is not a known field" },
    ],
  });
});

test("who makes the same refused call again gets the same fields again", async () => {
  const again = () =>
    fetch(`${url}/api/plugins/strict/operations/run`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${beckon.ownerToken}`,
        "content-type": "application/json",
        "x-session-id": sessionId,
        "x-tool-call-id": "twice",
      },
      body: "{}",
    }).then((response) => response.json());
  const first = await again();
  expect(first).toMatchObject({ issues: [{ path: "name", message: "is required" }] });
  expect(await again()).toEqual(first);
});

test("what its author has to know is logged with the plugin's name", () => {
  const said = logged.filter((line) => line.endsWith("A plugin's operation failed."));
  expect(said.some((line) => line.includes('"plugin":"throws","operation":"run"'))).toBe(true);
});

test("a handler that never settles and has no time ends with its turn, and holds up no server's end", async () => {
  const place = { dataDir: ":memory:", plugins: [join(folder, "hangs-on")] };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const server = await createBeckon({ ...place, log });
  const { url: address } = await server.listen({ host: "127.0.0.1", port: 0 });
  const person = await Client.connect(address, server.ownerToken);
  const authorization = `Bearer ${server.ownerToken}`;
  const post = async (path: string, body: object) =>
    (
      await fetch(address + path, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json();
  const { id } = await post("/api/sessions", {});
  await person.subscribe(id);
  await person.say(id, "/call hangs_on_run {}");
  await person.event("tool_call");
  expect(await post(`/api/sessions/${id}/cancel`, {})).toEqual({ ok: true, stopped: true });
  expect((await person.event("tool_result")).payload.error?.code).toBe("tool_cancelled");
  expect((await person.event("turn_end")).payload.status).toBe("cancelled");
  await person.say(id, "/call hangs_on_run {}");
  await person.event("tool_call", 2);
  const began = performance.now();
  await server.close();
  expect(performance.now() - began).toBeLessThan(3_000);
});

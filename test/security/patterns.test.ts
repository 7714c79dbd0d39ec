import { afterAll, beforeAll, expect, test } from "vitest";
import { type Beckon, createBeckon, defineTool } from "../../src/beckon.ts";

/** Ten times what they take at their worst on a slow machine; backtracking would take years. */
const SECONDS = 20;

let beckon: Beckon;
beforeAll(async () => {
  const tool = defineTool<{ pattern: string }>({
    name: "t_pattern",
    description: "Asks for a text of a form",
    parameters: { type: "object" },
    durable: "replay",
    handler: ({ pattern }, ctx) =>
      ctx.requestInteraction({
        type: "input",
        timeoutMs: null,
        whenUnavailable: "wait",
        inputSchema: {
          type: "form",
          fields: [{ id: "text", type: "text", label: "Text", pattern }],
        },
        onResponse: ({ action }) => ({ complete: action }),
      }),
  });
  const strict = defineTool({
    name: "t_strict",
    description: "Takes a text of a form, and keys of another",
    parameters: {
      type: "object",
      properties: {
        default: { type: "string", pattern: "^(a+)+$" },
        list: { type: "array", items: { $ref: "#/$defs/pattern" } },
        pattern: { const: { pattern: "^(a+)+$" } },
      },
      $defs: { pattern: { type: "string", pattern: "^(x+x+)+y", minLength: 2 } },
    },
    durable: "replay",
    handler: () => "taken",
  });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  beckon = await createBeckon({ dataDir: ":memory:", tools: [tool, strict], log });
});
afterAll(() => beckon.close());

async function call(method: string, path: string, body?: unknown) {
  const response = await beckon.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        authorization: `Bearer ${beckon.ownerToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: await response.json() };
}

/** Lets the demo agent ask with this pattern, and gives the log once the prompt or the end is there. */
async function askWith(pattern: string) {
  return logOf(`/call t_pattern ${JSON.stringify({ pattern })}`);
}

async function logOf(content: string) {
  const { id } = (await call("POST", "/api/sessions", {})).body;
  await call("POST", `/api/sessions/${id}/messages`, { content });
  const path = `/api/sessions/${id}/events`;
  await expect
    .poll(async () => JSON.stringify((await call("GET", path)).body.events))
    .toMatch(/interaction_request|tool_result/);
  return (await call("GET", path)).body.events as { type: string; payload: any }[];
}

const a = (count: number) => "a".repeat(count);

const EVIL: [pattern: string, attack: string][] = [
  ["^(a+)+$", `${a(60_000)}!`],
  ["^(a|a)*$", `${a(60_000)}!`],
  ["^(a|aa)+$", `${a(60_000)}!`],
  ["^([a-zA-Z]+)*$", `${a(60_000)}!`],
  ["(x+x+)+y", "x".repeat(60_000)],
  ["^(.*a){20}$", `${a(60_000)}!`],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", a(60_000)],
  ["^(a?){30}a{30}$", a(29)],
  ["(.*)*x", a(60_000)],
  ["^\\s+|\\s+$", `${" ".repeat(60_000)}x`],
  ["^(?:(?:a?){31}){31}$", `${a(60_000)}!`],
  ["^(a{0,31}b?){31}$", `${a(60_000)}!`],
];

test.each(EVIL)("the pattern %s is answered at once, whatever is sent", async (pattern, text) => {
  const request = (await askWith(pattern)).find(({ type }) => type === "interaction_request");
  const path = `/api/interactions/${request?.payload.interactionId}/respond`;
  const began = performance.now();
  const reply = await call("POST", path, { action: "submit", input: { text } });
  expect(reply).toMatchObject({
    status: 422,
    body: { code: "invalid_response", fieldErrors: { text: expect.any(String) } },
  });
  expect(performance.now() - began).toBeLessThan(SECONDS * 1_000);
});

test.each([
  ["a look-ahead", "(?=a)b"],
  ["a look-behind", "(?<=a)b"],
  ["a back-reference", "(a)\\1"],
  ["an atomic group", "(?>a+)b"],
  ["a possessive count", "a++b"],
  ["a group that is not closed", "(a"],
  ["a count without end", "a{1001}"],
  ["counts of counts", "((a{100}){100}){100}"],
  ["nothing to repeat", "*a"],
  ["more than 1,000 characters", a(1_001)],
  ["counts that make it too large", ".{0,999}".repeat(3)],
])("a pattern with %s is refused when it is asked with, in a sentence", async (_what, pattern) => {
  const events = await askWith(pattern);
  expect(events.some(({ type }) => type === "interaction_request")).toBe(false);
  const result = events.find(({ type }) => type === "tool_result");
  expect(result?.payload).toMatchObject({
    ok: false,
    error: { code: "invalid_request", message: expect.stringMatching(/^This prompt cannot be/) },
  });
});

test.each([
  ["one pattern", [".{0,999}".repeat(124)]],
  ["many fields", Array<string>(20).fill(`.{0,999}${a(900)}`)],
  ["classes that are long lists", Array<string>(20).fill("\\p{L}".repeat(190))],
  ["ranges without regard to case", Array<string>(20).fill(`(?i)[${"B-\\x{1e942}".repeat(80)}]`)],
])("what %s of a form would compile to is refused before it is compiled", async (_what, all) => {
  // Compiling would say that this is no pattern.
  const patterns = all.map((pattern) => `${pattern}(`);
  const fields = patterns.map((pattern, at) => ({
    id: `f${at}`,
    type: "text",
    label: "T",
    pattern,
  }));
  const inputSchema = { type: "form", fields };
  const reply = await call("POST", "/api/interactions", { type: "input", inputSchema });
  expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  expect(reply.body.error).toMatch(/its patterns stand for about \d+ steps, at most 20000/);
});

test("an answer that a pattern would read for long is refused unread, and a shorter one taken", async () => {
  const fields = [{ id: "text", type: "text", label: "Text", pattern: "(a?){700}" }];
  const inputSchema = { type: "form", fields };
  const { body } = await call("POST", "/api/interactions", { type: "input", inputSchema });
  const answer = (text: string) =>
    call("POST", `/api/interactions/${body.id}/respond`, { action: "submit", input: { text } });
  const fieldErrors = { text: expect.stringMatching(/^This is too long to be checked/) };
  expect(await answer(a(60_000))).toMatchObject({ status: 422, body: { fieldErrors } });
  expect(await answer(a(500))).toMatchObject({ status: 200 });
});

test("thousands of wrong arguments are told in few words", async () => {
  const input = { list: Array(9_000).fill("zz") };
  const events = await logOf(`/call t_strict ${JSON.stringify(input)}`);
  const { payload } = events.find(({ type }) => type === "tool_result") ?? {};
  expect(payload.error).toMatchObject({ code: "invalid_arguments" });
  expect(payload.error.issues).toHaveLength(20);
  expect(JSON.stringify(payload).length).toBeLessThan(4_000);
});

test.each<[string, Record<string, unknown>, RegExp | undefined]>([
  [
    "a text that fits",
    { default: "aaa", list: ["xxy"], pattern: { pattern: "^(a+)+$" } },
    undefined,
  ],
  [
    "a text made to hang a property's",
    { default: `${a(30_000)}!` },
    /default does not match the pattern/,
  ],
  [
    "a text made to hang a definition's",
    { list: ["x".repeat(30_000)] },
    /list.0 does not match the pattern/,
  ],
  ["a text that is too short", { list: ["y"] }, /at least 2 characters/],
  ["another constant", { pattern: { pattern: "b" } }, /pattern must be /],
])("the patterns of a tool's arguments hold at once for %s", async (_what, input, problem) => {
  const began = performance.now();
  const events = await logOf(`/call t_strict ${JSON.stringify(input)}`);
  expect(performance.now() - began).toBeLessThan(SECONDS * 1_000);
  const { payload } = events.find(({ type }) => type === "tool_result") ?? {};
  if (!problem) return expect(payload).toMatchObject({ ok: true, result: "taken" });
  const message = expect.stringMatching(problem);
  expect(payload).toMatchObject({ ok: false, error: { code: "invalid_arguments", message } });
});

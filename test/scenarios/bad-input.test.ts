import { afterAll, beforeAll, expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { BAD_FRAMES } from "./bad-input-frames.ts";
import { BAD_REQUESTS } from "./bad-input-requests.ts";
import { body, depth, text } from "./bad-input-values.ts";
import type { Client, Frame } from "./client.ts";
import { callTool, operate } from "./turns.ts";
import { World } from "./world.ts";

/** Asks for everything that can be answered wrongly: two fields, then an approval. */
const ask = defineTool<{ type?: "approval" | "input" }>({
  name: "t_ask",
  description: "Asks for an approval, or for a name and a size",
  durable: "replay",
  parameters: { type: "object" },
  handler: ({ type = "approval" }, ctx) =>
    ctx.requestInteraction({
      type,
      timeoutMs: null,
      ...(type === "approval"
        ? { approvalScopes: ["once" as const, "session" as const] }
        : {
            inputSchema: {
              type: "form" as const,
              fields: [
                { id: "name", type: "text" as const, label: "Name", required: true, maxLength: 9 },
                { id: "count", type: "number" as const, label: "Count", min: 1, max: 5 },
                {
                  id: "size",
                  type: "select" as const,
                  label: "Size",
                  options: [{ value: "s", label: "S" }],
                },
              ],
            },
          }),
      onResponse: ({ action }) => ({ complete: action }),
    }),
});

const timed = defineTool<{ timeoutMs?: number; nan?: boolean }>({
  name: "t_timed",
  description: "Asks with a timeout",
  durable: "replay",
  parameters: { type: "object" },
  handler: ({ timeoutMs, nan }, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      timeoutMs: nan ? Number.NaN : timeoutMs,
      onResponse: () => ({ complete: 1 }),
    }),
});

let world: World;
let client: Client;
/** What the cases below write as $session, $approval, $input and $call. */
const names: Record<string, string> = {};
const fill = (text: string) =>
  text.replaceAll(/\$(\w+)/g, (whole, name: string) => names[name] ?? whole);

beforeAll(async () => {
  world = await World.start({ tools: [ask, timed] });
  const made = await world.conversation();
  ({ client } = made);
  const other = await world.session();
  await client.subscribe(other.id);
  const approval = await (await callTool(client, made.session.id, "t_ask")).request();
  const input = await (await callTool(client, other.id, "t_ask", { type: "input" })).request();
  Object.assign(names, {
    session: made.session.id,
    other: other.id,
    call: approval.payload.toolCallId,
    approval: approval.payload.interactionId,
    input: input.payload.interactionId,
  });
});
afterAll(() => world.close());

async function everything(): Promise<unknown> {
  const { body } = await world.http("GET", "/api/interactions");
  const { sessions } = (await world.http("GET", "/api/sessions")).body;
  const logs = await Promise.all(
    [names["session"], names["other"]].map((id) => world.log(id ?? "")),
  );
  return { interactions: body.interactions, sessions, logs };
}

async function expectNoChange(attempt: () => Promise<void>): Promise<void> {
  const before = await everything();
  await attempt();
  await world.clock.settle();
  expect(await everything()).toEqual(before);
  expect((await world.http("GET", "/api/health")).body).toMatchObject({ ok: true });
}

test.each(BAD_REQUESTS)("HTTP: %s", async (...cells) => {
  const [, request = "", body = "", expected, headers] = cells;
  const [method = "", path = ""] = fill(request).split(" ");
  const given = (headers ?? "").split(", ").map((header) => fill(header).split(": "));
  const sent = {
    ...(body === "-" ? {} : { "content-type": "application/json" }),
    ...(headers ? (Object.fromEntries(given) as Record<string, string>) : {}),
  };
  await expectNoChange(async () => {
    const content = body === "-" ? undefined : body === "empty" ? "" : fill(body);
    const reply = await world.http(method, path, content, sent);
    expect(`${reply.status} ${reply.body.code}`).toBe(expected);
    expect(reply.body.error).toMatch(/^["A-Z].{15,}/);
    if (reply.status === 400) expect(reply.body.issues[0].message).toEqual(expect.any(String));
  });
});

test.each(BAD_FRAMES)("WebSocket: %s", async (...cells) => {
  const [, frame = "", code] = cells;
  const ref = frame.startsWith('{"type"') ? "mine" : undefined;
  await expectNoChange(async () => {
    const before = client.frames.length;
    client.send(fill(ref ? frame.replace("{", '{"ref":"mine",') : frame));
    const isReply = (one: Frame) => ["error", "interaction_result"].includes(one.type);
    const reply = await client.until((one) => client.frames.indexOf(one) >= before && isReply(one));
    expect(reply).toMatchObject({ code, error: expect.stringMatching(/^["A-Z].{10,}/) });
    const isAnswer = frame.includes("tool_interaction_response") && frame.includes("interactionId");
    expect(reply.type).toBe(isAnswer ? "interaction_result" : "error");
    if (isAnswer) expect(reply["ok"]).toBe(false);
    expect(reply["ref"]).toBe(ref);
    expect((await client.ask({ type: "ping" })).type).toBe("pong");
  });
});

test("what is just within the limits is taken", async () => {
  const session = await world.session();
  for (const content of [
    body(LIMITS.messageBytes),
    `{"content":"${text(LIMITS.jsonStringBytes)}"}`,
    `{"content":"a","x":${depth(LIMITS.jsonDepth)}}`,
    `{"content":"a","messageId":"${text(64)}"}`,
  ]) {
    const reply = await world.http("POST", `/api/sessions/${session.id}/messages`, content);
    expect(reply.status).toBe(202);
  }
});

test.each([
  ["0", { timeoutMs: 0 }],
  ["-1", { timeoutMs: -1 }],
  ["999", { timeoutMs: 999 }],
  ["a millisecond more than 365 days", { timeoutMs: 31_536_000_001 }],
  ["a text", { timeoutMs: "5m" }],
  ["NaN", { nan: true }],
])("a prompt with a timeout of %s is refused at once", async (_what, args) => {
  const session = await world.session();
  const reply = await operate(world, session.id, "t_timed", args);
  expect(reply.body).toMatchObject({ ok: false, code: "invalid_request" });
  const types = (await world.log(session.id)).map(({ type }) => type);
  expect(types).toEqual(["tool_call", "tool_result"]);
});

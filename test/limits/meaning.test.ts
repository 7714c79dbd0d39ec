import { afterAll, beforeAll, expect, test } from "vitest";
import type { Limit } from "../../src/core/index.ts";
import { ClientId, LIMITS } from "../../src/protocol/index.ts";
import { Rig } from "../scenarios/rig.ts";
import { approvalTool, askingTool, formOf } from "../scenarios/tools.ts";
import { operate } from "../scenarios/turns.ts";
import { World } from "../scenarios/world.ts";
import { show, SHOWING_TOOLS } from "./showing.ts";
import { sizedJson } from "./values.ts";

/* What the limits mean: of what they are counted, and that no door leads past them. */

const named = askingTool("t_named", () => ({
  type: "input",
  inputSchema: formOf({ id: "name", type: "text", label: "Name", minLength: 2, maxLength: 3 }),
  onResponse: ({ input }) => ({ complete: input }),
}));

let world: World;
beforeAll(async () => {
  world = await World.start({ latency: false, tools: [...SHOWING_TOOLS, named] });
});
afterAll(() => world.close());

test.each([
  "POST /api/sessions",
  "PATCH /api/sessions/none",
  "POST /api/sessions/none/messages",
  "POST /api/sessions/none/cancel",
  "POST /api/interactions/none/respond",
  "POST /api/plugins/none/operations/none",
  "POST /api/auth/exchange",
])(
  "%s refuses what is too large, too deep or too many before it looks at anything",
  async (route) => {
    const [method = "", path = ""] = route.split(" ");
    const send = async (body: string) => (await world.http(method, path, body)).body.code;
    expect(await send(sizedJson({}, LIMITS.messageBytes + 1))).toBe("too_large");
    expect(await send(`{"x":"${"x".repeat(LIMITS.jsonStringBytes + 1)}"}`)).toBe("too_large");
    const depth = LIMITS.jsonDepth;
    expect(await send(`{"x":${"[".repeat(depth)}${"]".repeat(depth)}}`)).toBe("invalid_request");
  },
);

test.each([
  ["one", 1, "invalid_response"],
  ["two", 2, undefined],
  ["three", 3, undefined],
  ["four", 4, "invalid_response"],
])(
  "an emoji counts as one character of a field that takes two or three: %s",
  async (_n, count, code) => {
    const { session, client } = await world.conversation();
    void operate(world, session.id, "t_named").catch(() => {});
    const request = await client.event("interaction_request");
    const answer = { action: "submit", input: { name: "😀".repeat(count) } };
    expect((await client.answer(request, answer))["code"]).toBe(code);
    client.terminate();
  },
);

test.each(["", "a b", "a.b", "../a", "a/b", "ä", "a\n", "a:b", "😀"])(
  "%j is no id that a client may make",
  (id) => {
    expect(ClientId.safeParse(id).success).toBe(false);
  },
);

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, "5m", 2 ** 53])(
  "a timeout of %s is refused at once",
  async (timeoutMs) => {
    const prompt = { type: "approval", timeoutMs: timeoutMs as number } as const;
    expect(await show(world, "show_first", prompt)).toBe("invalid_request");
  },
);

test.each([1_000.5, 30 * 24 * 60 * 60 * 1_000, 2 ** 31, null])(
  "a timeout of %s is kept",
  async (timeoutMs) => {
    expect(await show(world, "show_first", { type: "approval", timeoutMs })).toBe("accepted");
  },
);

test("a prompt may hold as many keys as its fields and options need", async () => {
  const options = Array.from({ length: LIMITS.options }, (_, n) => ({ value: `${n}`, label: "x" }));
  const fields = Array.from({ length: LIMITS.fields }, (_, n) => ({
    id: `f${n}`,
    type: "select" as const,
    label: "x",
    options,
  }));
  const prompt = { type: "input", inputSchema: formOf(...fields) } as const;
  expect(await show(world, "show_first", prompt)).toBe("invalid_request");
  const fewer = { type: "input", inputSchema: formOf(...fields.slice(0, 40)) } as const;
  expect(await show(world, "show_first", fewer)).toBe("accepted");
});

test("many sessions that ask at once do not slip past the limit of the server", async () => {
  await using rig = await Rig.start({ tools: [approvalTool] });
  const commit = rig.raw.commit.bind(rig.raw);
  // As if all but one of those that may be open were open elsewhere.
  const lowered = (limit: Limit): Limit =>
    limit.most === LIMITS.openPromptsPerServer ? { ...limit, most: 1 } : limit;
  rig.raw.commit = ({ limits = [], ...rest }) => commit({ ...rest, limits: limits.map(lowered) });
  const sessions = await Promise.all(Array.from({ length: 5 }, () => rig.session()));
  await Promise.all(sessions.map((sessionId) => rig.say(sessionId, "/call t_ask {}")));
  await rig.clock.settle();
  await rig.clock.settle();
  expect(await rig.raw.openCount()).toBe(1);
});

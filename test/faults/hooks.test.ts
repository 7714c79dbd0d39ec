import { describe, expect, test } from "vitest";
import type { HookOutcome, InteractionRequestWithHooks } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { checkLog } from "../scenarios/always-true.ts";
import type { Client } from "../scenarios/client.ts";
import { askingTool, Gate } from "../scenarios/tools.ts";
import { World, type WorldOptions } from "../scenarios/world.ts";

const circular: Record<string, unknown> = {};
circular["self"] = circular;

/** What each hook does, and the error that its call ends with. */
const BAD_HOOKS: [string, () => unknown, string][] = [
  ["throws an error", () => raise(new Error("broken")), "tool_error"],
  ["throws an error with a code", () => raise(coded("own_code")), "own_code"],
  ["throws a string", () => raise("words"), "tool_error"],
  ["throws nothing", () => raise(undefined), "tool_error"],
  ["throws null", () => raise(null), "tool_error"],
  ["rejects", async () => raise(new Error("broken")), "tool_error"],
  ["returns nothing", () => undefined, "tool_error"],
  ["returns null", () => null, "tool_error"],
  ["returns a string", () => "approve", "tool_error"],
  ["returns true", () => true, "tool_error"],
  ["returns a function", () => () => ({ complete: 1 }), "tool_error"],
  ["returns an empty object", () => ({}), "tool_error"],
  ["returns a list", () => [{ complete: 1 }], "tool_error"],
  ["completes and re-prompts at once", () => ({ complete: 1, reprompt: {} }), "tool_error"],
  [
    "completes and waits at once",
    () => ({ complete: 1, pending: { message: "later" } }),
    "tool_error",
  ],
  ["completes with itself", () => ({ complete: circular }), "tool_error"],
  ["completes with a BigInt", () => ({ complete: { count: 1n } }), "tool_error"],
  ["completes with what throws when read", () => ({ complete: poisoned() }), "tool_error"],
  ["re-prompts with nothing", () => ({ reprompt: null }), "tool_error"],
  ["re-prompts with what cannot be shown", () => ({ reprompt: { prompt: 7 } }), "invalid_request"],
  ["waits without a message", () => ({ pending: {} }), "tool_error"],
];

function raise(thrown: unknown): never {
  throw thrown;
}

function coded(code: string): Error {
  return Object.assign(new Error("broken"), { code });
}

function poisoned(): unknown {
  return {
    toJSON() {
      throw new Error("poison");
    },
  };
}

const start = (options: WorldOptions) => World.start({ latency: false, ...options });

/** One tool for each bad hook, called one after the other, each in a session of its own. */
async function eachBadHook(
  request: (hook: () => HookOutcome) => InteractionRequestWithHooks,
  act: (world: World, client: Client) => Promise<unknown>,
) {
  const tools = BAD_HOOKS.map(([, hook], index) =>
    askingTool(`t_bad_${index}`, () => request(hook as () => HookOutcome)),
  );
  await using world = await start({ tools });
  const ends = [];
  for (const [index, [name, , code]] of BAD_HOOKS.entries()) {
    const { session, client } = await world.conversation();
    await client.say(session.id, `/call t_bad_${index} {}`);
    await act(world, client);
    const { error } = (await client.event("tool_result")).payload;
    expect([name, error?.code, error?.message === ""]).toEqual([name, code, false]);
    expect((await client.event("turn_end")).payload.status).toBe("completed");
    const log = await world.log(session.id);
    checkLog(log);
    const ended = log.filter(({ type }) => /^interaction_(response|closed)$/.test(type));
    ends.push(...ended.map(({ type }) => type));
  }
  return ends;
}

describe("a hook that throws or returns nonsense", () => {
  test("fails its call and nothing else: the answer stays the answer", async () => {
    const ends = await eachBadHook(
      (onResponse) => ({ type: "approval", onResponse }),
      async (_world, client) => {
        const request = await client.event("interaction_request");
        expect(await client.answer(request, { action: "approve" })).toMatchObject({ ok: true });
      },
    );
    expect(ends).toEqual(BAD_HOOKS.map(() => "interaction_response"));
  });

  test("for timeouts fails its call, and the prompt has timed out", async () => {
    const onResponse = () => ({ complete: "heard" });
    const ends = await eachBadHook(
      (onTimeout) => ({ type: "approval", timeoutMs: 5_000, onResponse, onTimeout }),
      async (world, client) => {
        await client.event("interaction_request");
        await world.advance(5_000);
      },
    );
    expect(ends).toEqual(BAD_HOOKS.map(() => "interaction_closed"));
  });
});

test("an outcome whose other parts are undefined is the one that is given", async () => {
  const onResponse = () => ({ complete: 7, reprompt: undefined, pending: undefined }) as never;
  const tool = askingTool("t_one", () => ({ type: "approval", onResponse }));
  await using world = await start({ tools: [tool] });
  const { session, client } = await world.conversation();
  await client.say(session.id, "/call t_one {}");
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  expect((await client.event("tool_result")).payload).toMatchObject({ ok: true, result: 7 });
});

test("a hook that completes with a function or nothing gives no result, and no error", async () => {
  const values = [undefined, () => 1, Symbol("x")];
  const onResponse = () => ({ complete: values.shift() });
  const tool = askingTool("t_void", () => ({ type: "approval", onResponse }));
  await using world = await start({ tools: [tool] });
  while (values.length > 0) {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call t_void {}");
    await client.answer(await client.event("interaction_request"), { action: "approve" });
    expect((await client.event("tool_result")).payload).toMatchObject({ ok: true });
  }
});

const gate = new Gate();
const hanging = askingTool("t_hang", () => ({
  type: "approval",
  timeoutMs: 60_000,
  async onResponse() {
    await gate.pass();
    return { complete: "too late" };
  },
}));
const hangingTimeout = askingTool("t_hang_timeout", () => ({
  type: "approval",
  timeoutMs: 5_000,
  onResponse: () => ({ complete: "heard" }),
  async onTimeout() {
    await gate.pass();
    return { complete: "too late" };
  },
}));

/** A call whose hook never settles, in a session of its own. */
async function hang(world: World, tool: string) {
  gate.reset();
  const { session, client } = await world.conversation();
  await client.say(session.id, `/call ${tool} {}`);
  const request = await client.event("interaction_request");
  if (tool === "t_hang") await client.answer(request, { action: "approve" });
  else await world.advance(5_000);
  await gate.reached;
  return { session, client, request };
}

describe.each(["t_hang", "t_hang_timeout"])("a hook that never settles (%s)", (tool) => {
  test("can be cancelled, and what it says afterwards is dropped", async () => {
    await using world = await start({ tools: [hanging, hangingTimeout] });
    const { session, client } = await hang(world, tool);
    expect(await client.ask({ type: "cancel", sessionId: session.id })).toMatchObject({
      stopped: true,
    });
    expect((await client.event("turn_end")).payload.status).toBe("cancelled");
    const before = await world.log(session.id);
    gate.open();
    await world.clock.settle();
    expect(await world.log(session.id)).toEqual(before);
    checkLog(before);
    // The session is good for another turn.
    await client.say(session.id, "hello");
    expect((await client.event("turn_end", 2)).payload.status).toBe("completed");
  });

  test("does not hold up deleting its session, nor other sessions", async () => {
    await using world = await start({ tools: [hanging, hangingTimeout] });
    const { session, client } = await hang(world, tool);
    const other = await world.session();
    await client.subscribe(other.id);
    await client.say(other.id, "hello");
    await client.event("turn_end", (_end, event) => event.sessionId === other.id);
    expect((await world.http("DELETE", `/api/sessions/${session.id}`)).status).toBe(200);
    await client.frame("session_deleted");
    expect((await world.http("GET", `/api/sessions/${session.id}`)).status).toBe(404);
    expect((await world.http("GET", "/api/interactions")).body.interactions).toEqual([]);
    gate.open();
  });

  test("does not hold up a server that stops, and is asked again by the next", async () => {
    await using world = await start({ tools: [hanging, hangingTimeout] });
    const { session } = await hang(world, tool);
    const crashing = world.crash();
    await world.advance(10_000);
    await crashing;
    gate.open();
    const again = await world.person();
    await again.subscribe(session.id);
    expect((await again.event("tool_result")).payload).toMatchObject({ result: "too late" });
    checkLog(await world.log(session.id));
  });
});

test("a tool that asks again for ever is stopped after its twentieth re-prompt", async () => {
  let asked = 0;
  const tool = askingTool("t_again", () => ({
    type: "approval",
    onResponse: () => (++asked, { reprompt: { error: `not ${asked}` } as never }),
  }));
  await using world = await start({ tools: [tool] });
  const { session, client } = await world.conversation();
  await client.say(session.id, "/call t_again {}");
  for (let attempt = 1; attempt <= 1_000; attempt++) {
    const ends = client.events().some(({ type }) => type === "tool_result");
    if (ends) break;
    const request = await client.event("interaction_request", attempt);
    expect(await client.answer(request, { action: "approve" })).toMatchObject({ ok: true });
    if (attempt > LIMITS.reprompts) await client.event("tool_result");
  }
  expect(asked).toBe(LIMITS.reprompts + 1);
  const { error } = (await client.event("tool_result")).payload;
  expect(error?.code).toBe("too_many_reprompts");
  checkLog(await world.log(session.id));
});

import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/protocol/index.ts";
import { askingTool } from "../scenarios/tools.ts";
import { World } from "../scenarios/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HEARTBEAT_MS = 5_000;
/** Where a bare `setTimeout` overflows and fires at once. */
const OVERFLOW = 2 ** 31;

/** The timeout as the tool computes it: not all of these survive JSON. */
let timeoutMs: unknown;
const timed = askingTool("t_timed", () => ({
  type: "approval",
  timeoutMs: timeoutMs as number,
  onResponse: ({ action }) => ({ complete: action }),
}));

async function ask(world: World, timeout: unknown) {
  timeoutMs = timeout;
  const { session, client } = await world.conversation();
  await client.say(session.id, "/call t_timed {}");
  return { session, client };
}

describe("a deadline", () => {
  test.each([
    ["one second", LIMITS.timeoutMinMs],
    ["24.9 days", 24.9 * DAY],
    ["one millisecond before timers overflow", OVERFLOW - 1],
    ["where timers overflow", OVERFLOW],
    ["one millisecond after timers overflow", OVERFLOW + 1],
    ["30 days", 30 * DAY],
    ["365 days", LIMITS.timeoutMaxMs],
  ])("of %s is kept to the millisecond", async (_name, timeout) => {
    await using world = await World.start({ tools: [timed], latency: false });
    const { client } = await ask(world, timeout);
    const { payload } = await client.event("interaction_request");
    expect(Date.parse(payload.expiresAt ?? "")).toBe(world.clock.now() + timeout);
    // Most of it passes as for a machine that sleeps; the rest, with its timers, ticks by.
    const ticking = Math.min(timeout, 2 * HEARTBEAT_MS);
    world.clock.jump(timeout - ticking);
    await world.advance(ticking - 1);
    expect((await world.interaction(payload.interactionId)).status).toBe("open");
    await world.advance(1);
    expect((await client.event("tool_result")).payload.error?.code).toBe("interaction_timeout");
  });

  test.each([
    ["0", 0],
    ["a negative number", -1],
    ["less than a second", LIMITS.timeoutMinMs - 1],
    ["more than 365 days", LIMITS.timeoutMaxMs + 1],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["words", "5m"],
    ["a list", [5_000]],
  ])("of %s is refused at once, and nobody is asked", async (_name, timeout) => {
    await using world = await World.start({ tools: [timed], latency: false });
    const { session, client } = await ask(world, timeout);
    const { error } = (await client.event("tool_result")).payload;
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error?.message).toContain("timeoutMs");
    const types = (await world.log(session.id)).map(({ type }) => type);
    expect(types).not.toContain("interaction_request");
  });

  test("that the clock jumps over is kept within a heartbeat, and one that it jumps back from waits", async () => {
    await using world = await World.start({ tools: [timed], latency: false });
    const soon = await ask(world, MINUTE);
    const first = await soon.client.event("interaction_request");
    const later = await ask(world, 3 * MINUTE);
    const second = await later.client.event("interaction_request");
    world.clock.jump(2 * MINUTE);
    await world.advance(HEARTBEAT_MS);
    expect((await world.interaction(first.payload.interactionId)).status).toBe("timed_out");
    expect((await world.interaction(second.payload.interactionId)).status).toBe("open");

    // The deadline is a moment that people were told, so it comes when the clock says so.
    world.clock.jump(-MINUTE);
    await world.advance(MINUTE);
    expect((await world.interaction(second.payload.interactionId)).status).toBe("open");
    await world.advance(MINUTE);
    expect((await later.client.event("tool_result")).payload.error?.code).toBe(
      "interaction_timeout",
    );
  });
});

test("a jump of the clock takes no run from its owner, and runs it no second time", async () => {
  let runs = 0;
  let release = () => {};
  const working = askingTool(
    "t_work",
    () => ({ type: "approval", onResponse: () => ({ complete: true }) }),
    {
      async handler() {
        runs++;
        await new Promise<void>((resolve) => (release = resolve));
        return "worked";
      },
    },
  );
  await using world = await World.start({ tools: [working], latency: false });
  const { session, client } = await world.conversation();
  await client.say(session.id, "/call t_work {}");
  await expect.poll(() => runs).toBe(1);
  for (const jump of [HOUR, -2 * HOUR, DAY, -DAY]) {
    world.clock.jump(jump);
    await world.advance(3 * HEARTBEAT_MS);
  }
  release();
  const { payload } = await client.event("tool_result");
  expect([runs, payload.ok, payload.result]).toEqual([1, true, "worked"]);
});

test("who has just left counts for a minute of the wall clock, wherever that jumps", async () => {
  await using world = await World.start({ tools: [timed], latency: false });
  timeoutMs = HOUR;
  const session = await world.session();
  const callTool = async () =>
    (
      await world.http("POST", `/api/sessions/${session.id}/messages`, {
        content: "/call t_timed {}",
      })
    ).status;
  const client = await world.person();
  await client.close();
  await world.clock.settle();
  world.clock.jump(2 * MINUTE);
  expect(await callTool()).toBe(202);
  const result = async () =>
    (await world.log(session.id)).find(({ type }) => type === "tool_result");
  await expect
    .poll(result)
    .toMatchObject({ payload: { error: { code: "interaction_unavailable" } } });
});

test("a sign-in code and a token end by the wall clock, also when that jumps", async () => {
  await using world = await World.start({ latency: false });
  const exchange = async (code: string) => {
    const origin = world.node.url;
    return (await world.http("POST", "/api/auth/exchange", { code }, { origin })).status;
  };
  const codes = await Promise.all([1, 2, 3].map(() => world.credentials.createSigninCode("owner")));
  expect(await exchange(codes[0] as string)).toBe(200);
  world.clock.jump(-30_000);
  expect(await exchange(codes[1] as string)).toBe(200);
  world.clock.jump(30_000 + MINUTE + 1);
  expect(await exchange(codes[2] as string)).toBe(401);
});

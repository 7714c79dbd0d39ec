import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import type { Client } from "./client.ts";
import { callTool, createDoor } from "./turns.ts";
import { verifies } from "./verifies.ts";
import type { World } from "./world.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What each step was given, in every life of the call. */
const given = new Map<string, unknown[]>();
let door = createDoor();

/** Draws a key, a time and who is there, each time right before the step that uses them. */
const charging = defineTool<{ hold: string }>({
  name: "t_charge",
  description: "Charges before, in and after the hook of a prompt",
  durable: "replay",
  parameters: { type: "object" },
  async handler({ hold }, ctx) {
    const charge = async (name: string) => {
      const use = { key: ctx.uuid(), at: ctx.now(), there: { ...ctx.interaction } };
      await ctx.step(name, async () => {
        const before = given.get(name) ?? [];
        given.set(name, [...before, { ...use, inside: [ctx.uuid(), ctx.now()] }]);
        if (name !== hold || before.length > 0) return;
        door.arrive();
        await door.opened;
      });
      return use;
    };
    const first = await charge("first");
    const second = await charge("second");
    const third = await ctx.requestInteraction({
      type: "approval",
      prompt: first.key,
      onResponse: async () => ({ complete: await charge("in the hook") }),
    });
    return [first, second, third, await charge("after it")];
  },
});

/** Dies while the step is held up inside, and comes back a minute later with nobody there. */
async function die(world: World): Promise<void> {
  const state = { crashed: false };
  const crashing = world.crash().finally(() => (state.crashed = true));
  door.open();
  while (!state.crashed) await world.advance(50);
  await crashing;
}

for (const hold of ["first", "second", "in the hook", "after it"]) {
  verifies(
    "replay:restart",
    `a step that is killed inside gets the same key and the same time again: ${hold}`,
    { tools: [charging] },
    async (world) => {
      given.clear();
      door = createDoor();
      let client: Client;
      const { session, client: before } = await world.conversation();
      client = before;
      await callTool(client, session.id, "t_charge", { hold });
      const killed = async () => {
        await door.reached;
        await world.advance(61_000);
        await die(world);
        await world.advance(61_000);
        client = await world.person();
        await client.subscribe(session.id);
      };
      if (["first", "second"].includes(hold)) await killed();
      const request = await client.event("interaction_request");
      await world.advance(1_000);
      await client.answer(request, { action: "approve" });
      if (["in the hook", "after it"].includes(hold)) await killed();
      const result = (await client.event("tool_result")).payload;
      expect(result).toMatchObject({ ok: true });

      const uses = [...given.values()];
      for (const lives of uses)
        expect(new Set(lives.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(given.get(hold)).toHaveLength(2);
      expect(uses.map((lives) => lives[0])).toMatchObject(result.result as object[]);
      const keys = uses.flatMap(([use]) => {
        const { key, inside } = use as { key: string; inside: [string, number] };
        return [key, inside[0]];
      });
      for (const key of keys) expect(key).toMatch(UUID);
      expect(new Set(keys).size).toBe(8);
      const times = uses.map(([use]) => (use as { at: number }).at);
      const inside = uses.map(([use]) => (use as { inside: [string, number] }).inside[1]);
      expect(inside).toEqual(times);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[2]).toBeGreaterThan(times[0] as number);
    },
  );
}

const told: number[][] = [];

/** Says what time it is after a step, and after a prompt whose hook has a step. */
const telling = defineTool({
  name: "t_tell",
  description: "Tells the time",
  durable: "replay",
  parameters: { type: "object" },
  async handler(_args, ctx) {
    const times = [ctx.now()];
    told.push(times);
    const wait = (name: string) =>
      ctx.step(name, async () => {
        door.arrive();
        await door.opened;
      });
    await wait("first");
    times.push(ctx.now());
    await ctx.requestInteraction({
      type: "approval",
      timeoutMs: null,
      async onResponse() {
        await wait("in the hook");
        return { complete: null };
      },
    });
    times.push(ctx.now());
    await ctx.requestInteraction({
      type: "approval",
      timeoutMs: null,
      onResponse: () => ({ complete: null }),
    });
    return times;
  },
});

verifies(
  "replay:restart",
  "the time of a call is that of its last stored step, in a hook too, and the same when it is run again",
  { tools: [telling] },
  async (world) => {
    told.length = 0;
    door = createDoor();
    let { session, client } = await world.conversation();
    await callTool(client, session.id, "t_tell");
    const waits = async () => {
      await door.reached;
      await world.advance(5_000);
      door.open();
    };
    await waits();
    const first = await client.event("interaction_request");
    door = createDoor();
    await client.answer(first, { action: "approve" });
    await waits();
    await client.event("interaction_request", 2);
    await world.crash();
    client = await world.person();
    await client.subscribe(session.id);
    const second = await client.event("interaction_request", 2);
    await client.answer(second, { action: "approve" });
    const { result } = (await client.event("tool_result")).payload;
    const [start = 0, afterStep = 0, afterHook = 0] = result as number[];
    expect(afterStep - start).toBeGreaterThanOrEqual(5_000);
    expect(afterHook - afterStep).toBeGreaterThanOrEqual(5_000);
    expect(told.length).toBeGreaterThan(1);
    // A life may end before it has come to all of them.
    for (const times of told) expect(times).toEqual((result as number[]).slice(0, times.length));
  },
);

verifies(
  "replay:restart",
  "no key can be told from what is shown of its call",
  { tools: [charging] },
  async (world) => {
    given.clear();
    const { session, client } = await world.conversation();
    const keys = new Set<string>();
    for (const turn of [1, 2]) {
      await callTool(client, session.id, "t_charge", { hold: "nowhere" });
      const request = await client.event("interaction_request", turn);
      keys.add(request.payload.prompt as string);
      await client.answer(request, { action: "deny" });
      await client.event("turn_end", turn);
    }
    expect(keys.size).toBe(2);
    const seeds = await Promise.all(
      (await world.log(session.id)).flatMap((event) =>
        event.type === "tool_call" ? [world.store.call(session.id, event.payload.toolCallId)] : [],
      ),
    );
    const shown = JSON.stringify(await world.log(session.id));
    for (const call of seeds) expect(shown).not.toContain(call?.seed);
    expect(new Set(seeds.map((call) => call?.seed)).size).toBe(2);
  },
);

const drawn: string[] = [];
const drawing = defineTool({
  name: "t_draw",
  description: "Draws a key and asks",
  durable: "replay",
  parameters: { type: "object" },
  approval: {},
  async handler(_args, ctx) {
    drawn.push(ctx.uuid());
    const at = ctx.now();
    await ctx.requestInteraction({
      type: "approval",
      prompt: "So?",
      timeoutMs: null,
      onResponse: () => ({ complete: null }),
    });
    return at;
  },
});

verifies(
  "replay:restart",
  "a key is made of what is stored with its call and shown to nobody; its time begins with the approval",
  { tools: [drawing] },
  async (world) => {
    drawn.length = 0;
    let { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_draw");
    await turn.request();
    await world.advance(5_000);
    const approvedAt = world.clock.now();
    await client.answer(await turn.request(), { action: "approve" });
    await client.event("interaction_request", ({ prompt }) => prompt === "So?");
    await world.sql("UPDATE tool_calls SET seed = 'another'");
    await world.crash();
    client = await world.person();
    await client.subscribe(session.id);
    const asked = await client.event("interaction_request", ({ prompt }) => prompt === "So?");
    await client.answer(asked, { action: "approve" });
    const { result } = (await client.event("tool_result")).payload;
    expect(result).toBeGreaterThanOrEqual(approvedAt);
    expect(drawn).toHaveLength(2);
    expect(drawn[1]).not.toBe(drawn[0]);
  },
);

verifies(
  "replay:restart",
  "a call that 0.1.0 began keeps the key and the time that it has drawn",
  { tools: [charging] },
  async (world) => {
    given.clear();
    const { session, client } = await world.conversation();
    await callTool(client, session.id, "t_charge", { hold: "nowhere" });
    const { payload } = await client.event("interaction_request");
    const scope = `${session.id}/${payload.toolCallId}`;
    const drawn = { "|uuid||1": payload.prompt, "|now||1": 1, "|uuid||2": "of then", "|now||2": 2 };
    // As it was stored then: what was drawn, and steps without a time.
    await world.sql("UPDATE tool_calls SET seed = NULL");
    const withoutTime =
      world.mode === "twoNodesPostgres"
        ? "(value::jsonb - 'at')::text"
        : "json_remove(value, '$.at')";
    await world.sql(`UPDATE journal SET value = ${withoutTime} WHERE kind = 'step'`);
    for (const [key, value] of Object.entries(drawn)) {
      const set = {
        kind: "value",
        state: "done",
        digest: null,
        value: { value },
        epoch: 1,
      } as const;
      await world.store.commit({
        writes: [{ table: "journal", id: [scope, key], ifVersion: 0, set }],
        events: [],
      });
    }
    await world.crash();
    const again = await world.person();
    await again.subscribe(session.id);
    await again.answer(await again.event("interaction_request"), { action: "approve" });
    const { result } = (await again.event("tool_result")).payload;
    expect(result).toMatchObject([
      { key: payload.prompt, at: 1 },
      { key: "of then", at: 2 },
      { key: expect.stringMatching(UUID), at: world.clock.now() },
      { key: expect.stringMatching(UUID), at: world.clock.now() },
    ]);
  },
);

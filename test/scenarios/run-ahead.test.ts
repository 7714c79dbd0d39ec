import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { params } from "./rig.ts";
import { World } from "./world.ts";

/* What can be done again need not wait for the disk; people and the world outside always do. */

const ask = (name: string, before?: (ctx: { step: Step }) => Promise<unknown>) =>
  defineTool({
    name,
    description: "Asks.",
    parameters: params,
    durable: "replay",
    async handler(_args, ctx) {
      await before?.(ctx);
      return ctx.requestInteraction({
        type: "approval",
        onResponse: ({ action }) => ({ complete: { action } }),
      });
    },
  });
type Step = (name: string, fn: () => unknown) => Promise<unknown>;

/** Counts transactions that are on disk, and breaks the one that the test names. */
function watchDisk(world: World) {
  const { database } = world;
  const run = database.run.bind(database);
  const disk = { synced: 0, failed: 0, failing: false };
  database.run = (sql, ...values) => {
    if (sql === "COMMIT") {
      if (disk.failing) {
        disk.failed++;
        disk.failing = false;
        throw Object.assign(new Error("disk I/O error"), { errcode: 10 });
      }
      disk.synced++;
    }
    return run(sql, ...values);
  };
  return disk;
}

test("a turn that asks takes three syncs: up to the prompt, the answer, and what follows", async () => {
  await using world = await World.start({ tools: [ask("quick")], latency: false });
  const { session, client } = await world.conversation();
  const disk = watchDisk(world);
  await client.say(session.id, "/call quick {}");
  const request = await client.event("interaction_request");
  expect(disk.synced).toBe(1);
  await client.answer(request, { action: "approve" });
  await client.event("turn_end");
  expect(disk.synced).toBe(3);
});

/** A tool whose hooks only make a result of the answer. */
const pure = { ...ask("pure"), pureHooks: true };
const question = defineTool({
  ...pure,
  name: "question",
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "input",
      inputSchema: { type: "form", fields: [{ id: "name", type: "text", label: "Name" }] },
      onResponse: ({ input }) => ({ complete: input }),
    }),
});

test("an answer that is only turned into a result shares one sync with all that follows", async () => {
  await using world = await World.start({ tools: [question, pure], latency: false });
  const { session, client } = await world.conversation();
  const disk = watchDisk(world);
  await client.say(session.id, "/call question {}");
  const request = await client.event("interaction_request");
  await client.answer(request, { action: "submit", input: { name: "Ada" } });
  expect((await client.event("turn_end")).payload.status).toBe("completed");
  expect(disk.synced).toBe(2);
  await client.say(session.id, "/call pure {}");
  await client.answer(await client.event("interaction_request", 2), { action: "approve" });
  await client.event("turn_end", 2);
  expect(disk.synced, "an approval is on disk before anything follows from it").toBe(5);
});

test("an answer that went ahead of a disk that then failed counts for nothing, and may be given again", async () => {
  await using world = await World.start({ tools: [question], latency: false });
  const { session, client } = await world.conversation();
  const disk = watchDisk(world);
  await client.say(session.id, "/call question {}");
  const request = await client.event("interaction_request");
  disk.failing = true;
  const refused = await client.answer(request, { action: "submit", input: { name: "Ada" } });
  expect(refused).toMatchObject({ ok: false, code: "store_unavailable" });
  const types = () => client.events().map(({ type }) => type);
  expect(types().at(-1)).toBe("interaction_request");
  await world.clock.advance(20_000);
  await client.answer(request, { action: "submit", input: { name: "Grace" } });
  await client.event("turn_end");
  expect((await client.event("tool_result")).payload.result).toEqual({ name: "Grace" });
  expect(types().filter((type) => type === "interaction_response")).toHaveLength(1);
  const seqs = client.events().map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_none, index) => index + 1));
});

test("what went ahead of a disk that then failed was told to nobody, and is done again", async () => {
  await using world = await World.start({ tools: [ask("quick")], latency: false });
  const { session, client } = await world.conversation();
  const disk = watchDisk(world);
  await client.say(session.id, "/call quick {}");
  const request = await client.event("interaction_request");
  const commit = world.store.commit.bind(world.store);
  world.store.commit = (given) => {
    disk.failing ||= disk.failed === 0 && given.events.some(({ type }) => type === "tool_result");
    return commit(given);
  };
  await client.answer(request, { action: "approve" });
  await expect.poll(() => disk.failed).toBe(1);
  await world.clock.advance(20_000);
  await client.event("turn_end");
  const types = client.events().map(({ type }) => type);
  expect(types.filter((type) => type === "tool_result")).toHaveLength(1);
  expect(types.at(-1)).toBe("turn_end");
  const seqs = client.events().map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_none, index) => index + 1));
});

test("a step of a tool runs only when its call is on disk", async () => {
  let stored: unknown;
  await using world = await World.start({
    tools: [
      ask("careful", (ctx) =>
        ctx.step("send", () => {
          stored = disk.synced;
        }),
      ),
    ],
    latency: false,
  });
  const { session, client } = await world.conversation();
  const disk = watchDisk(world);
  await client.say(session.id, "/call careful {}");
  await client.event("interaction_request");
  expect(stored).toBe(1);
});

test("a step of a tool that is called from outside runs only when its call is on disk", async () => {
  const stored: unknown[] = [];
  const careful = ask("careful", (ctx) => ctx.step("send", () => stored.push(disk.synced)));
  await using world = await World.start({ tools: [careful], latency: false });
  const { session, client } = await world.conversation();
  const who = await world.credentials.authenticate(await world.machine(session.id));
  const disk = watchDisk(world);
  const call = { sessionId: session.id, toolName: "careful", input: {}, origin: "http" } as const;
  const called = world.node.core.callTool(who!, call);
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  await called;
  expect(stored).toEqual([1]);
});

test("what a person allows runs only when the answer, and why it runs, are on disk", async () => {
  const synced: number[] = [];
  const guarded = defineTool({
    name: "guarded",
    description: "Runs once somebody has approved of it.",
    parameters: params,
    durable: "replay",
    approval: {},
    handler: () => void synced.push(disk.synced),
  });
  await using world = await World.start({ tools: [guarded], latency: false });
  const { session, client } = await world.conversation();
  const disk = watchDisk(world);
  await client.say(session.id, "/call guarded {}");
  const request = await client.event("interaction_request");
  disk.failing = true;
  const refused = await client.answer(request, { action: "approve" });
  expect(refused).toMatchObject({ ok: false, code: "store_unavailable" });
  expect(synced).toEqual([]);
  await world.clock.advance(20_000);
  const before = disk.synced;
  await client.answer(request, { action: "approve" });
  await client.event("turn_end");
  expect(synced).toHaveLength(1);
  expect(synced[0]).toBeGreaterThan(before);
});

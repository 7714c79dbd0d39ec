import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBeckon } from "../../src/beckon.ts";
import { defineTool } from "../../src/core/index.ts";
import { openSqliteStore } from "../../src/store/index.ts";
import { systemClock } from "../../src/system.ts";
import { checkLog } from "../scenarios/always-true.ts";
import { approve, params, Rig } from "../scenarios/rig.ts";
import { seedPrompts } from "../support/seed-prompts.ts";

/** Fewer than the 10,000 of the bench, so that the test is quick; the path is the same. */
const OVERDUE = 400;
/** Ten times what `bench/` asks for. */
const LAG_MS = 500;
const PLUGINS = [new URL("../../examples/plugins", import.meta.url).pathname];
const MESSAGES = [
  '/call ask_user {"question":"Which one?"}',
  '/call demo_tools_ask_later {"question":"When?"}',
];

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "beckon-overdue-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function open() {
  const beckon = await createBeckon({ dataDir, plugins: PLUGINS });
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${beckon.ownerToken}`,
      "content-type": "application/json",
    };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await beckon.fetch(new Request(`http://localhost${path}`, init));
    return { status: response.status, body: await response.json() };
  };
  const live = async () =>
    (await call("GET", "/api/interactions?limit=200")).body.interactions.filter(
      ({ waiting }: { waiting: string }) => waiting === "live",
    );
  return { beckon, call, live };
}

test("what fell due while nobody ran is ended in order, with the loop free and health true", async () => {
  const now = Date.now();
  // The earliest deadline is that of the youngest prompt, so that order of age would be the wrong one.
  const expiresAt = (index: number) => now - 1_000 - index;
  await seedPrompts({ dataDir, plugins: PLUGINS, messages: MESSAGES, count: OVERDUE, expiresAt });
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const { beckon, call, live } = await open();
  // It did not wait for them with opening.
  expect((await live()).length).toBeGreaterThan(OVERDUE / 4);
  const left = async () => {
    expect((await call("GET", "/api/health")).status).toBe(200);
    return (await live()).length;
  };
  await expect.poll(left).toBe(0);
  await beckon.close();
  lag.disable();
  expect(lag.percentile(99) / 1e6).toBeLessThan(LAG_MS);

  const store = openSqliteStore({ path: join(dataDir, "beckon.db"), clock: systemClock });
  const { rows: sessions } = await store.sessions({ limit: 2 * OVERDUE });
  expect(sessions).toHaveLength(OVERDUE);
  const ends: { deadline: number; at: number }[] = [];
  for (const { id } of sessions) {
    const log = await store.events({ sessionId: id, limit: 100 });
    checkLog(log);
    const request = log.find((event) => event.type === "interaction_request");
    const closed = log.find((event) => event.type === "interaction_closed");
    const queued = log.find(
      (event) => event.type === "interaction_pending" && event.payload.queued,
    );
    // Without a hook it is over; with one the call has ended and the prompt stays.
    expect([request?.payload.toolName, closed?.payload.reason, queued !== undefined]).toEqual(
      request?.payload.toolName === "ask_user"
        ? ["ask_user", "timed_out", false]
        : ["demo_tools_ask_later", undefined, true],
    );
    if (closed && request?.payload.expiresAt) {
      const deadline = Date.parse(request.payload.expiresAt);
      ends.push({ deadline, at: Date.parse(closed.timestamp) });
    }
  }
  await store.close();
  const byDeadline = ends.toSorted((one, other) => one.deadline - other.deadline);
  expect(byDeadline.map(({ at }) => at)).toEqual(
    ends.map(({ at }) => at).toSorted((one, other) => one - other),
  );
}, 60_000);

test("an answer to a prompt that is overdue and not yet ended wins if it is stored first, and never both", async () => {
  const now = Date.now();
  const expiresAt = (index: number) => now - OVERDUE + index;
  const messages = [MESSAGES[0] as string];
  await seedPrompts({ dataDir, messages, count: 200, expiresAt });
  const { beckon, call } = await open();
  const prompts = (await call("GET", "/api/interactions?limit=200")).body.interactions;
  expect(prompts.length).toBeGreaterThan(0);
  const answer = { action: "submit", input: { answer: "just in time" } };
  const replies = await Promise.all(
    prompts.map(async ({ id, sessionId }: { id: string; sessionId: string }) => ({
      sessionId,
      reply: await call("POST", `/api/interactions/${id}/respond`, answer),
    })),
  );
  const left = async () => (await call("GET", "/api/interactions")).body.interactions.length;
  await expect.poll(left).toBe(0);
  const won: boolean[] = [];
  for (const { sessionId, reply } of replies) {
    const { events } = (await call("GET", `/api/sessions/${sessionId}/events`)).body;
    checkLog(events);
    const end = events.find(({ type }: { type: string }) =>
      ["interaction_response", "interaction_closed"].includes(type),
    );
    won.push(reply.status === 200);
    expect([reply.status, reply.body.reason, end.type]).toEqual(
      reply.status === 200
        ? [200, undefined, "interaction_response"]
        : [409, "timed_out", "interaction_closed"],
    );
  }
  expect(won).toContain(true);
  await beckon.close();
}, 60_000);

test("prompts that cannot be ended hold up no others, and are tried again", async () => {
  const brief = defineTool({
    name: "t_brief",
    description: "Waits ten seconds.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) => approve(ctx, { timeoutMs: 10_000 }),
  });
  await using rig = await Rig.start({ tools: [brief] });
  const ask = async () => {
    const id = await rig.session();
    await rig.say(id, "/call t_brief {}");
    await rig.event(id, "interaction_request");
    return id;
  };
  // More than are ended together, and due before the others.
  const broken: string[] = [];
  while (broken.length < 25) broken.push(await ask());
  await rig.clock.advance(1_000);
  const well = [await ask(), await ask()];
  let isBroken = true;
  rig.onCommit = ({ sessionId, events }) => {
    if (!isBroken || !broken.includes(sessionId ?? "")) return;
    if (!events.some(({ type }) => type === "interaction_closed")) return;
    throw new Error("This row cannot be written.");
  };
  await rig.clock.advance(10_000);
  for (const id of well) await rig.event(id, "turn_end");
  const typesOf = async (id: string) => (await rig.log(id)).map(({ type }) => type);
  for (const id of broken) expect(await typesOf(id)).not.toContain("turn_end");
  isBroken = false;
  await rig.clock.advance(2_000);
  for (const id of broken) expect(await typesOf(id)).toContain("turn_end");
});

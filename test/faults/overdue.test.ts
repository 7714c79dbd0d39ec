import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
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
    return { status: response.status, body: (await response.json()) as any };
  };
  const live = async () =>
    (await call("GET", "/api/interactions?limit=200")).body.interactions.filter(
      ({ waiting }: { waiting: string }) => waiting === "live",
    );
  return { beckon: beckon as Beckon, call, live };
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
  const first = await live();
  expect(first.length).toBeGreaterThan(0);
  const left = async () => {
    expect((await call("GET", "/api/health")).status).toBe(200);
    return (await live()).length;
  };
  await expect.poll(left, { timeout: 50_000 }).toBe(0);
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
  expect(byDeadline.map(({ at }) => at)).toEqual(ends.map(({ at }) => at).toSorted());
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
  await expect
    .poll(async () => (await call("GET", "/api/interactions")).body.interactions.length)
    .toBe(0);
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

test("one prompt that cannot be ended holds up no other, and is tried again", async () => {
  const brief = defineTool({
    name: "t_brief",
    description: "Waits ten seconds.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) => approve(ctx, { timeoutMs: 10_000 }),
  });
  await using rig = await Rig.start({ tools: [brief] });
  const sessions = await Promise.all([rig.session(), rig.session(), rig.session()]);
  for (const id of sessions) {
    await rig.say(id, "/call t_brief {}");
    await rig.event(id, "interaction_request");
  }
  const [broken, ...others] = sessions;
  let tries = 0;
  rig.onCommit = ({ sessionId, events }) => {
    if (sessionId !== broken || !events.some(({ type }) => type === "interaction_closed")) return;
    if (++tries < 10) throw new Error("This row cannot be written.");
  };
  await rig.clock.advance(10_000);
  for (const id of others) await rig.event(id, "turn_end");
  expect((await rig.log(broken as string)).map(({ type }) => type)).not.toContain("turn_end");
  await rig.clock.advance(10_000);
  await rig.event(broken as string, "turn_end");
  expect(tries).toBe(10);
});

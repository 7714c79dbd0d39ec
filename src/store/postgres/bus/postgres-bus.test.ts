import { expect, test } from "vitest";
import type { Bus, BusMessage } from "../../../core/ports.ts";
import { createDatabase, withClient } from "../../../../test/support/postgres/database.ts";
import { interaction } from "../../../testing/store-contract/interaction-rows.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { Hints } from "./hints.ts";

const open = async (url: string) => {
  const opened = await openPostgresStore({ url, poolSize: 3 });
  return { ...opened, bus: opened.bus! };
};

/** What a node hears until it has heard enough. */
function hearing(bus: Bus, isEnough: (message: BusMessage) => boolean): Promise<BusMessage[]> {
  return new Promise((resolve) => {
    const heard: BusMessage[] = [];
    bus.subscribe((message) => {
      heard.push(message);
      if (isEnough(message)) resolve(heard);
    });
  });
}

const LAST: BusMessage = { type: "run", runId: "last" };
const isLast = (message: BusMessage) => message.type === "run" && message.runId === "last";

test("another node hears ids and no rows, in as few words as it takes; whoever publishes hears all", async () => {
  const url = await createDatabase();
  const [one, other] = await Promise.all([open(url), open(url)]);
  const own = hearing(one.bus, isLast);
  const far = hearing(other.bus, isLast);
  for (let lastSeq = 1; lastSeq <= 50; lastSeq++) {
    one.bus.publish({ type: "events", sessionId: "s1", lastSeq, events: [] });
  }
  one.bus.publish({ type: "interaction", id: "i1", row: interaction("i1") });
  one.bus.publish({ type: "session", sessionId: "s1" });
  one.bus.publish({ type: "session", sessionId: "s1" });
  one.bus.publish(LAST);
  expect(await far).toEqual([
    { type: "events", sessionId: "s1", lastSeq: 50 },
    { type: "interaction", id: "i1" },
    { type: "session", sessionId: "s1" },
    LAST,
  ]);
  expect(await own).toHaveLength(54);
  await Promise.all([one.store.close(), other.store.close()]);
});

test("a text that grows arrives whole, however long a piece of it is", async () => {
  const url = await createDatabase();
  const [one, other] = await Promise.all([open(url), open(url)]);
  const far = hearing(other.bus, isLast);
  const text = "naïve 🙂\u0000\n".repeat(3_000);
  const event = { type: "text_delta", payload: { blockId: "b", offset: 7, text } } as const;
  one.bus.publish({ type: "transient", sessionId: "s1", event } as unknown as BusMessage);
  one.bus.publish(LAST);
  let whole = "";
  for (const message of await far) {
    if (message.type !== "transient") continue;
    const { payload } = message.event as unknown as typeof event;
    expect(payload.offset).toBe(7 + whole.length);
    whole += payload.text;
  }
  expect(whole).toBe(text);
  await Promise.all([one.store.close(), other.store.close()]);
});

test("what a node says last before it closes is told still", async () => {
  const url = await createDatabase();
  const [one, other] = await Promise.all([open(url), open(url)]);
  const far = hearing(other.bus, isLast);
  one.bus.publish(LAST);
  await one.store.close();
  expect(await far).toEqual([LAST]);
  await other.store.close();
});

test("a node that was cut off listens again, and is told to look", async () => {
  const url = await createDatabase();
  const [one, other] = await Promise.all([open(url), open(url)]);
  const looking = hearing(other.bus, ({ type }) => type === "look");
  await withClient(url, (client) =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%'`),
  );
  expect(await looking).toEqual([{ type: "look" }]);
  const far = hearing(other.bus, isLast);
  one.bus.publish(LAST);
  expect(await far).toEqual([LAST]);
  await Promise.all([one.store.close(), other.store.close()]);
});

test("no payload is larger than PostgreSQL takes, and of too many hints one says so", () => {
  const hints = new Hints(1_000);
  for (let n = 0; n < 900; n++) hints.add({ type: "run", runId: `${n} ${"é".repeat(30)}` });
  hints.add({ type: "run", runId: "é".repeat(8_000) });
  const payloads = hints.take("me");
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
  const messages = payloads.flatMap((payload) => (JSON.parse(payload) as unknown[]).slice(1));
  expect(messages).toHaveLength(900);
  expect(hints.isEmpty).toBe(true);
  for (let n = 0; n < 1_001; n++) hints.add({ type: "run", runId: `${n}` });
  expect(hints.take("me")).toEqual(['["me",{"type":"look"}]']);
});

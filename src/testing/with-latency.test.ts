import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "../store/index.ts";
import { createFakeClock } from "./fake-clock.ts";
import { raceTests } from "./store-contract/races.ts";
import { session } from "./store-contract/rows.ts";
import { addSession, type OpenedStore, textEvent } from "./store-contract/subject.ts";
import { insert, update } from "./store-contract/writes.ts";
import { withLatency } from "./with-latency.ts";

/** A small generator of repeatable numbers (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function open(seed: number): OpenedStore {
  const clock = createFakeClock();
  const store = openSqliteStore({ path: ":memory:", clock });
  return { store: withLatency(store, seeded(seed)), clock };
}

async function orderOfLog(seed: number): Promise<string> {
  const { store } = open(seed);
  await addSession(store, "s1");
  const ids = ["a", "b", "c", "d", "e", "f"];
  await Promise.all(
    ids.map((id) => store.commit({ sessionId: "s1", writes: [], events: [textEvent(id)] })),
  );
  const events = await store.events({ sessionId: "s1", limit: 10 });
  await store.close();
  return events.map((event) => event.id).join("");
}

describe.each([1, 2, 3])("with latency, schedule %i", (seed) => {
  let opened: OpenedStore;
  beforeEach(() => {
    opened = open(seed);
  });
  afterEach(async () => {
    await opened.store.close();
  });
  raceTests(() => opened);
});

describe("with latency", () => {
  test("calls happen in another order than they were made, the same for the same seed", async () => {
    const seeds = [1, 2, 3, 4, 5];
    const orders = await Promise.all(seeds.map(orderOfLog));
    expect(new Set(orders).size).toBeGreaterThan(1);
    expect(await orderOfLog(4)).toBe(orders[3]);
  });

  test("what was given is stored, not what became of it", async () => {
    const { store } = open(1);
    await store.commit({ writes: [insert("sessions", session("s1"))], events: [] });
    const change = { title: "given" };
    const committed = store.commit({ writes: [update("sessions", "s1", 1, change)], events: [] });
    change.title = "changed";
    await committed;
    expect(await store.session("s1")).toMatchObject({ title: "given" });
    await store.close();
  });
});

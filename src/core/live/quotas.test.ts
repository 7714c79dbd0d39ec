import { describe, expect, test } from "vitest";
import { ProtocolError, type Quota, QUOTAS } from "../../protocol/index.ts";
import { createFakeClock } from "../../testing/index.ts";
import type { Who } from "../ports.ts";
import { type Payer, payerOf, Quotas, type QuotaTable } from "./quotas.ts";

const person: Payer = { kind: "person", id: "p1" };
const machine: Payer = { kind: "machine", id: "m1" };
const bound: Payer = { kind: "bound", id: "m2" };
const asks = "asksPerMinute";

/** Every quota of everybody is `most`, but for those that are given. */
function tableOf(most: number, set: Partial<QuotaTable> = {}): QuotaTable {
  const row = { person: most, machine: most, bound: most, machines: Infinity };
  const rows = Object.keys(QUOTAS).map((quota) => [quota, row] as const);
  return { ...(Object.fromEntries(rows) as Record<Quota, typeof row>), ...set };
}

function start(table: QuotaTable) {
  const clock = createFakeClock();
  return { clock, quotas: new Quotas(clock, table) };
}

/** What the refusal says, or undefined where there is none. */
function refusalOf(work: () => void): ProtocolError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  return undefined;
}

function timesUntilRefused(work: () => void): number {
  for (let times = 0; times < 1_000; times++) if (refusalOf(work)) return times;
  return Infinity;
}

describe("a rate", () => {
  test("may be used all at once, and comes back with time", async () => {
    const { clock, quotas } = start(tableOf(60));
    const spend = () => quotas.spend(machine, asks);
    expect(timesUntilRefused(spend)).toBe(60);
    await clock.advance(999);
    expect(refusalOf(spend)).toBeDefined();
    await clock.advance(1);
    expect(timesUntilRefused(spend)).toBe(1);
    await clock.advance(10 * 60_000);
    expect(timesUntilRefused(spend)).toBe(60);
  });

  test("that is used up says which it is, how much, and when to come back", () => {
    const { quotas } = start(tableOf(2));
    quotas.spend(machine, asks, 2);
    const refused = refusalOf(() => quotas.spend(machine, asks));
    expect(refused?.toBody()).toEqual({
      code: "too_many",
      error:
        "The most for one machine is reached: 2 asks and calls a minute. Try again in 30 seconds.",
      quota: asks,
      limit: 2,
      retryAfter: 30,
    });
  });

  test("of one caller is nobody else's, and its own kinds do not mix", () => {
    const { quotas } = start(tableOf(3));
    for (const payer of [machine, bound, person, { ...machine, id: "m9" }]) {
      expect(timesUntilRefused(() => quotas.spend(payer, asks))).toBe(3);
      expect(timesUntilRefused(() => quotas.spend(payer, "messagesPerMinute"))).toBe(3);
    }
  });

  test("that machines share leaves people alone", () => {
    const row = { person: 5, machine: 3, bound: 3, machines: 4 };
    const { quotas } = start(tableOf(3, { asksPerMinute: row }));
    expect(timesUntilRefused(() => quotas.spend(machine, asks))).toBe(3);
    expect(timesUntilRefused(() => quotas.spend(bound, asks))).toBe(1);
    expect(refusalOf(() => quotas.spend(bound, asks))?.message).toContain("all machines together");
    expect(timesUntilRefused(() => quotas.spend(person, asks))).toBe(5);
  });

  test("that was overdrawn refuses until that is made up for", async () => {
    const { clock, quotas } = start(tableOf(60));
    quotas.owe(machine, "bytesReadPerMinute", 119);
    const refused = refusalOf(() => quotas.spend(machine, "bytesReadPerMinute"));
    expect(refused?.details).toMatchObject({ retryAfter: 60 });
    let passed = false;
    const waiting = quotas.available(machine, "bytesReadPerMinute").then(() => (passed = true));
    await clock.advance(59_000);
    expect(passed).toBe(false);
    await clock.advance(1_000);
    await waiting;
    quotas.spend(machine, "bytesReadPerMinute");
  });

  test("gains nothing by a clock that is set back", async () => {
    let now = 1_000_000;
    const quotas = new Quotas({ now: () => now, timer: () => () => {} }, tableOf(2));
    quotas.spend(machine, asks, 2);
    now -= 500_000;
    expect(refusalOf(() => quotas.spend(machine, asks))).toBeDefined();
    now += 30_000;
    expect(timesUntilRefused(() => quotas.spend(machine, asks))).toBe(1);
  });

  test("without a limit has no end", () => {
    const { quotas } = start(tableOf(Infinity));
    quotas.spend(person, asks, 1e12);
    expect(refusalOf(() => quotas.spend(person, asks))).toBeUndefined();
  });
});

describe("what is open at once", () => {
  test("is counted until it is let go, once", () => {
    const { quotas } = start(tableOf(2));
    const first = quotas.hold(machine, "sockets");
    quotas.hold(machine, "sockets");
    expect(refusalOf(() => void quotas.hold(machine, "sockets"))).toBeDefined();
    first();
    first();
    expect(timesUntilRefused(() => void quotas.hold(machine, "sockets"))).toBe(1);
  });
});

describe("what is stored", () => {
  test("has room for as many as the store does not hold yet, however many try at once", async () => {
    const { quotas } = start(tableOf(5));
    let stored = 2;
    const add = () =>
      quotas.add(
        machine,
        "sessionsPerDay",
        async () => stored,
        async () => {
          await Promise.resolve();
          stored++;
        },
      );
    await Promise.allSettled(Array.from({ length: 20 }, add));
    expect(stored).toBe(5);
    await expect(add()).rejects.toMatchObject({ code: "too_many" });
    stored = 4;
    await add();
    expect(stored).toBe(5);
  });
});

test("what a caller owes is remembered, however many others come and go", async () => {
  const { clock, quotas } = start(tableOf(1));
  for (let n = 0; n < 5_000; n++) quotas.spend({ kind: "machine", id: `m${n}` }, asks);
  await clock.advance(61_000);
  quotas.spend(bound, asks, 100);
  for (let n = 0; n < 5_000; n++) quotas.spend({ kind: "machine", id: `n${n}` }, asks);
  expect(refusalOf(() => quotas.spend(bound, asks))).toBeDefined();
  expect(timesUntilRefused(() => quotas.spend({ kind: "machine", id: "m1" }, asks))).toBe(1);
});

describe("who pays", () => {
  const who: Who = { principalId: "a", kind: "machine", name: "", tokenId: "t", sessionId: null };
  test.each<[string, Partial<Who>, Payer]>([
    ["a person", { kind: "person" }, { kind: "person", id: "a" }],
    ["a machine", {}, { kind: "machine", id: "a" }],
    ["a machine that is bound to a session", { sessionId: "s" }, { kind: "bound", id: "a" }],
    [
      "for a machine that is bound to another machine's session, that one",
      { sessionId: "s", budgetId: "m" },
      { kind: "machine", id: "m" },
    ],
  ])("%s", (_name, set, payer) => {
    expect(payerOf({ ...who, ...set })).toEqual(payer);
  });
});

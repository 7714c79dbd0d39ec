import { expect, test } from "vitest";
import { LEASE_MS } from "./lease.ts";
import { NodeLease } from "./node-lease.ts";

function createClock() {
  let time = 0;
  return { now: () => time, pass: (ms: number) => void (time += ms) };
}

test("lasts for as long as a renewal says, counted from before it was asked for", () => {
  const clock = createClock();
  const lease = new NodeLease(clock, clock);
  const renewed = lease.renewing();
  clock.pass(2_000);
  renewed();
  clock.pass(LEASE_MS - 2_001);
  expect(lease.isCertain()).toBe(true);
  clock.pass(1);
  expect(lease.isCertain()).toBe(false);
});

test("is not certain after the machine slept, which what counts for the store's time does not show", () => {
  const [ofStore, own] = [createClock(), createClock()];
  const lease = new NodeLease(ofStore, own);
  lease.renewing()();
  own.pass(60_000);
  expect(lease.isCertain()).toBe(false);
});

test("is certain where nobody else shares the store, and so none is renewed", () => {
  const clock = createClock();
  const lease = new NodeLease(clock, clock);
  clock.pass(1_000_000);
  expect(lease.isCertain()).toBe(true);
});

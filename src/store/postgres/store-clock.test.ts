import { expect, test } from "vitest";
import { StoreClock } from "./store-clock.ts";

function stopped() {
  let elapsed = 0;
  const clock = new StoreClock(() => elapsed);
  /** An answer that was `ms` on its way, made at that time of the database. */
  const answer = (time: number, ms: number): void => {
    const sentAt = elapsed;
    elapsed += ms;
    clock.sample(time, sentAt);
  };
  return { clock, answer, pass: (ms: number) => void (elapsed += ms) };
}

test("between answers the time goes on by itself", () => {
  const { clock, answer, pass } = stopped();
  answer(1_000, 0);
  pass(250);
  expect(clock.now()).toBe(1_250);
});

test("a slow answer that says nothing new changes nothing, and a quick one makes it exact", () => {
  const { clock, answer } = stopped();
  answer(1_000, 80);
  expect(clock.now()).toBe(1_000);
  // Sent at 1,080 of the database, answered there at 1,130, here at 1,180.
  answer(1_130, 100);
  expect(clock.now()).toBe(1_130);
  answer(1_181, 1);
  expect(clock.now()).toBe(1_181);
  answer(1_190, 60);
  expect(clock.now()).toBe(1_241);
});

test("a database whose time is set back is followed", () => {
  const { clock, answer } = stopped();
  answer(9_000_000, 0);
  answer(1_000, 5);
  expect(clock.now()).toBe(1_005);
});

import { afterEach, expect, test, vi } from "vitest";
import { ClientId } from "./protocol/index.ts";
import { createLog, createScope, createSteadyTime, systemClock, systemIds } from "./system.ts";

afterEach(() => void vi.useRealTimers());

test("ids are different, safe in a URL and on a command line", () => {
  const ids = Array.from({ length: 2_000 }, () => systemIds.next());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(ClientId.safeParse(id).success).toBe(true);
    expect(id.startsWith("-")).toBe(false);
  }
});

test("a digest is SHA-256 in hex", () => {
  expect(systemIds.digest("abc")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

test("a timer longer than setTimeout can count still fires on time, once", () => {
  vi.useFakeTimers();
  const fired = vi.fn<() => void>();
  const days = 24 * 60 * 60 * 1_000;
  systemClock.timer(60 * days, fired);
  vi.advanceTimersByTime(60 * days - 1);
  expect(fired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60 * days);
  expect(fired).toHaveBeenCalledOnce();
});

test("a timer that is taken back does not fire", () => {
  vi.useFakeTimers();
  const fired = vi.fn<() => void>();
  systemClock.timer(5, fired)();
  vi.advanceTimersByTime(10);
  expect(fired).not.toHaveBeenCalled();
});

test("a scope is seen by the work in it, also after an await, and by nothing else", async () => {
  const scope = createScope<string>();
  const seen = await scope.run("inside", async () => {
    await Promise.resolve();
    return scope.current();
  });
  expect([seen, scope.current()]).toEqual(["inside", undefined]);
});

test("a log level that does not exist is refused with a sentence", () => {
  expect(() => createLog("loud")).toThrow('BECKON_LOG is "loud", but must be one of trace');
});

test("a clock that is set back holds no deadline; one that is set right or has slept counts", () => {
  const [HOUR, DAY] = [3_600_000, 86_400_000];
  let [time, elapsed] = [1_000_000, 0.5];
  const now = createSteadyTime(
    () => time,
    () => elapsed,
  );
  const pass = (ms: number, set = 0) => {
    time += ms + set;
    elapsed += ms;
    return now();
  };
  expect(pass(5_000)).toBe(1_005_000);
  expect(pass(1_000, -DAY)).toBe(1_006_000);
  expect(pass(60_000)).toBe(1_066_000);
  expect(pass(1_000, -DAY)).toBe(1_067_000);
  expect(pass(1_000, 2 * DAY)).toBe(1_068_000);
  expect(pass(0, 8 * HOUR)).toBe(1_068_000 + 8 * HOUR);
  expect(pass(1_000, -20)).toBe(time);
});

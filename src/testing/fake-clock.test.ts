import { describe, expect, test } from "vitest";
import { createFakeClock } from "./fake-clock.ts";

describe("a fake clock", () => {
  test("stands still until it is moved", async () => {
    const clock = createFakeClock(1_000);
    await clock.settle();
    expect(clock.now()).toBe(1_000);
    await clock.advance(500);
    expect(clock.now()).toBe(1_500);
  });

  test("fires timers in order, each at its own moment", async () => {
    const clock = createFakeClock(0);
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, clock.now()]);
    clock.timer(30, note("c"));
    clock.timer(10, note("a"));
    clock.timer(10, note("b"));
    clock.timer(50, note("too late"));
    const takeBack = clock.timer(20, note("taken back"));
    takeBack();
    await clock.advance(40);
    expect(fired).toEqual([
      ["a", 10],
      ["b", 10],
      ["c", 30],
    ]);
  });

  test("lets what a timer began settle, and arm the next, before time goes on", async () => {
    const clock = createFakeClock(0);
    const ticks: number[] = [];
    const tick = () => {
      setImmediate(() => {
        ticks.push(clock.now());
        clock.timer(10, tick);
      });
    };
    clock.timer(10, tick);
    await clock.advance(35);
    expect(ticks).toEqual([10, 20, 30]);
  });

  test("a jump moves the time of day, and a timer keeps what is left of it", async () => {
    const clock = createFakeClock(10_000);
    const fired: number[] = [];
    clock.timer(100, () => fired.push(clock.now()));
    clock.jump(-5_000);
    expect(clock.now()).toBe(5_000);
    clock.jump(60_000);
    await clock.advance(99);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual([65_100]);
  });

  test("waits before, between and after its timers for what it is told to wait for", async () => {
    const settled: number[] = [];
    const clock = createFakeClock(0, async () => void settled.push(clock.now()));
    clock.timer(10, () => {});
    await clock.advance(15);
    expect(settled).toEqual([0, 10, 15]);
  });
});

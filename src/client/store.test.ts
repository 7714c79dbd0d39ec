import { afterEach, expect, test, vi } from "vitest";
import { inFrame, Store } from "./store.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("changes are told once, with the next frame", () => {
  const frames: (() => void)[] = [];
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", () => {});
  const store = new Store(0, inFrame);
  const seen: number[] = [];
  const end = store.subscribe(() => seen.push(store.get()));
  store.set(1);
  store.set(2);
  expect(frames).toHaveLength(1);
  frames[0]?.();
  frames[0]?.();
  expect(seen).toEqual([2]);
  store.set(2);
  expect(frames).toHaveLength(1);
  end();
  store.set(3);
  frames[1]?.();
  expect(seen).toEqual([2]);
});

test("a page that draws no frames is told all the same", () => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", () => 1);
  vi.stubGlobal("cancelAnimationFrame", () => {});
  const store = new Store(0, inFrame);
  const seen: number[] = [];
  store.subscribe(() => seen.push(store.get()));
  store.set(1);
  vi.advanceTimersByTime(300);
  expect(seen).toEqual([1]);
});

test("two subscriptions of one listener end one by one", () => {
  const store = new Store(0, (work) => work());
  let told = 0;
  const listener = () => void told++;
  const ends = [store.subscribe(listener), store.subscribe(listener)];
  store.set(1);
  expect(told).toBe(2);
  ends[0]?.();
  store.set(2);
  expect(told).toBe(3);
});

import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Keyboard } from "./keyboard.ts";

let input: PassThrough;
let keyboard: Keyboard;
let now = 0;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => now);
  now = 10_000;
  input = new PassThrough();
  keyboard = new Keyboard(Object.assign(input, { setRawMode() {} }) as unknown as ReadStream);
});
afterEach(() => {
  keyboard.close();
  vi.restoreAllMocks();
});

/** Types after so many milliseconds. */
function type(text: string, afterMs: number): void {
  now += afterMs;
  input.emit("data", Buffer.from(text));
}

const decision = async () => (await keyboard.decision(new AbortController().signal)).text;

test("of a key that is held down none decides after the first", async () => {
  type("a", 100);
  for (const _time of [1, 2, 3]) type("b", 59);
  type("c", 60);
  expect([await decision(), await decision()]).toEqual(["a", "c"]);
});

test("of keys that come together none decides", async () => {
  type("ab", 100);
  type("\u001B[200~a\u001B[201~", 100);
  type("c", 100);
  expect(await decision()).toBe("c");
});

test("what comes before the time of grace is over decides nothing", async () => {
  const live = new Promise<void>((resolve) => void keyboard.beginGrace(resolve));
  type("a", 300);
  await live;
  type("b", 100);
  expect(await decision()).toBe("b");
});

import { expect, test } from "vitest";
import { createFakeClock } from "../../../testing/index.ts";
import { createLiveOutput } from "./live-output.ts";

function start(limits: { liveBytes?: number; pieceBytes?: number } = {}) {
  const clock = createFakeClock();
  const shown: string[] = [];
  const live = createLiveOutput({
    limits: { liveBytes: 1_000, pieceBytes: 10, pieceMs: 50, ...limits },
    show: (text) => shown.push(text),
    timer: (ms, callback) => clock.timer(ms, callback),
  });
  return { clock, shown, live, add: (text: string) => live.add(Buffer.from(text)) };
}

test("small pieces are gathered for a moment and shown as one", async () => {
  const { clock, shown, add } = start();
  add("a");
  await clock.advance(30);
  add("b");
  await clock.advance(19);
  expect(shown).toEqual([]);
  await clock.advance(1);
  expect(shown).toEqual(["ab"]);
  await clock.advance(1_000);
  expect(shown).toEqual(["ab"]);
});

test("a piece that is large enough does not wait", async () => {
  const { clock, shown, add } = start();
  add("123456789");
  expect(shown).toEqual([]);
  add("0");
  expect(shown).toEqual(["1234567890"]);
  add("x");
  await clock.advance(50);
  expect(shown).toEqual(["1234567890", "x"]);
});

test("a large chunk is shown in pieces, in order", () => {
  const { shown, live, add } = start();
  add("1234567890abcdefghijXYZ");
  live.finish();
  expect(shown).toEqual(["1234567890", "abcdefghij", "XYZ"]);
});

test("a character that comes in parts is shown when it is whole", async () => {
  const { clock, shown, live } = start();
  const bytes = Buffer.from("a🙂b");
  for (const byte of bytes) {
    live.add(Buffer.from([byte]));
    await clock.advance(50);
  }
  expect(shown).toEqual(["a", "🙂", "b"]);
});

test("a character that never becomes whole is shown as a replacement at the end", () => {
  const { shown, live } = start();
  live.add(Buffer.from([0x41, 0xe2, 0x82]));
  live.finish();
  expect(shown.join("")).toBe("A\uFFFD");
});

test("after the limit one note is shown, and nothing more", async () => {
  const { clock, shown, live, add } = start({ liveBytes: 24 });
  add("1234567890"); // with its quotation marks 12 bytes of JSON
  add("abcdefghij");
  expect(shown).toEqual(["1234567890", "abcdefghij"]);
  add("x");
  await clock.advance(50);
  add("more".repeat(100));
  live.finish();
  expect(shown).toHaveLength(3);
  expect(shown[2]).toMatch(/more output than is shown/);
});

test("the limit counts what a client is sent, where a control character takes six bytes", () => {
  const { shown, live, add } = start({ liveBytes: 61 });
  add("\u0001".repeat(10));
  live.finish();
  expect(shown).toEqual([expect.stringMatching(/more output than is shown/)]);
});

test("nothing is shown after the end, not even by a timer", async () => {
  const { clock, shown, live, add } = start();
  add("a");
  live.finish();
  add("b");
  live.finish();
  await clock.advance(1_000);
  expect(shown).toEqual(["a"]);
});

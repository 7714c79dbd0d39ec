import { expect, test } from "vitest";
import { createDirectPair } from "./direct-channel.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("frames arrive in order, and not inside the sender's call", async () => {
  const [one, other] = createDirectPair();
  const got: string[] = [];
  other.onFrame = (frame) => got.push(frame);
  let left = 0;
  for (const frame of ["a", "b", "c"]) one.send(frame, () => left++);
  expect(got).toEqual([]);
  await settle();
  expect(got).toEqual(["a", "b", "c"]);
  expect(left).toBe(3);
});

test("what is sent before the other end listens waits for it", async () => {
  const [one, other] = createDirectPair();
  const got: string[] = [];
  one.send("early");
  await settle();
  other.onFrame = (frame) => got.push(frame);
  await settle();
  expect(got).toEqual(["early"]);
});

test("a close comes after the frames before it, to both ends, once", async () => {
  const [one, other] = createDirectPair();
  const seen: string[] = [];
  other.onFrame = (frame) => seen.push(frame);
  other.onClose = (code, reason) => seen.push(`other ${code} ${reason}`);
  one.onClose = (code) => seen.push(`one ${code}`);
  one.send("last");
  one.close(4001, "over");
  one.close(4002);
  one.send("dropped");
  other.send("dropped too");
  await settle();
  expect(seen).toContain("one 4001");
  expect(seen.filter((entry) => !entry.startsWith("one"))).toEqual(["last", "other 4001 over"]);
});

test("a frame sent from inside a delivery arrives too", async () => {
  const [one, other] = createDirectPair();
  const got: string[] = [];
  other.onFrame = (frame) => other.send(`${frame}!`);
  one.onFrame = (frame) => got.push(frame);
  one.send("a");
  one.send("b");
  await settle();
  expect(got).toEqual(["a!", "b!"]);
});

test("a close reaches an end that never listened for frames", async () => {
  const [one, other] = createDirectPair();
  let code = 0;
  other.onClose = (closed) => {
    code = closed;
  };
  one.close(4001);
  await settle();
  expect(code).toBe(4001);
});

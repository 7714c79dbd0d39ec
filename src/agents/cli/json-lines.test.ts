import { expect, test } from "vitest";
import { readLines } from "./lines.ts";

async function* bytes(text: string, size: number) {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

test.each([1, 3, 1_000])("in pieces of %i bytes the same messages arrive", async (size) => {
  const text = '{"a":"ä\u{1F642}"}\n\nnot JSON\n12\n{"b":\n{"c":1}\n{"d":2}';
  const messages: unknown[] = [];
  for await (const message of readLines(bytes(text, size))) messages.push(message);
  expect(messages).toEqual([{ a: "ä\u{1F642}" }, { c: 1 }, { d: 2 }]);
});

import { expect, test } from "vitest";
import { diffLines, patchLines } from "./diff-lines.ts";

const short = (lines: ReturnType<typeof diffLines>) =>
  lines.map(({ kind, text }) => ({ added: "+", removed: "-", same: " ", note: "@" })[kind] + text);

test("what both have stays, the rest is removed and added", () => {
  expect(short(diffLines("a\nb\nc\nd", "a\nx\nc\ny\nd"))).toEqual([
    " a",
    "-b",
    "+x",
    " c",
    "+y",
    " d",
  ]);
});

test("equal texts have no change, and an empty one is all added", () => {
  expect(short(diffLines("a\nb", "a\nb"))).toEqual([" a", " b"]);
  expect(short(diffLines("", "a"))).toEqual(["-", "+a"]);
});

test("both texts can be read back from their difference", () => {
  const [before, after] = ["a\na\nb\n\nc", "b\na\n\nc\nc"];
  const lines = diffLines(before, after);
  const side = (without: string) =>
    lines
      .filter(({ kind }) => kind !== without)
      .map(({ text }) => text)
      .join("\n");
  expect(side("added")).toBe(before);
  expect(side("removed")).toBe(after);
});

test("a large change is not computed for ever", () => {
  const many = (word: string) => Array.from({ length: 5_000 }, (_, at) => word + at).join("\n");
  expect(diffLines(many("a"), many("b"))).toHaveLength(10_000);
});

test("a patch is read by its marks", () => {
  expect(short(patchLines("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z"))).toEqual([
    "@--- a",
    "@+++ b",
    "@@@ -1 +1 @@",
    "-x",
    "+y",
    " z",
  ]);
});

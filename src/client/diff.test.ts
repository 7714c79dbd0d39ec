import { expect, test } from "vitest";
import { type Diff, toDiff } from "./diff.ts";

const MARKS = { added: "+", removed: "-", same: " ", folded: "~", note: "@" };

const marked = ({ runs }: Diff) =>
  runs.flatMap(({ kind, lines }) => lines.map((line) => MARKS[kind] + line));

const numbered = (count: number, word = "line ") =>
  Array.from({ length: count }, (_, at) => `${word}${at}`);

test("of sixty lines with two changes only those and the lines around them are unfolded", () => {
  const before = numbered(60);
  const after = before.with(10, "new ten").with(50, "new fifty");
  const diff = toDiff({ before: before.join("\n"), after: after.join("\n") });
  expect(diff.runs.map(({ kind, lines }) => `${kind} ${lines.length}`)).toEqual([
    "folded 7",
    "same 3",
    "removed 1",
    "added 1",
    "same 3",
    "folded 33",
    "same 3",
    "removed 1",
    "added 1",
    "same 3",
    "folded 6",
  ]);
  expect(marked(diff)).toContain("+new fifty");
});

test("what both have stays, the rest is removed and added", () => {
  expect(marked(toDiff({ before: "a\nb\nc\nd", after: "a\nx\nc\ny\nd" }))).toEqual([
    " a",
    "-b",
    "+x",
    " c",
    "+y",
    " d",
  ]);
});

test("equal texts have no change and fold nothing", () => {
  const text = numbered(20).join("\n");
  expect(toDiff({ before: text, after: text }).runs).toEqual([
    { kind: "same", lines: numbered(20) },
  ]);
});

test("a text that is new, and one that goes, have no empty line on the other side", () => {
  expect(marked(toDiff({ before: "", after: "a\nb" }))).toEqual(["+a", "+b"]);
  expect(marked(toDiff({ before: "a\nb", after: "" }))).toEqual(["-a", "-b"]);
});

test("both texts can be read back from their difference, folded lines too", () => {
  const before = ["a", "a", "b", "", "c", ...numbered(30)].join("\n");
  const after = ["b", "a", "", "c", "c", ...numbered(30).with(15, "x")].join("\n");
  const { runs } = toDiff({ before, after });
  const side = (without: string) =>
    runs.flatMap(({ kind, lines }) => (kind === without ? [] : lines)).join("\n");
  expect(side("added")).toBe(before);
  expect(side("removed")).toBe(after);
});

test("texts with too many differences are shown whole, and that is said", () => {
  const many = (word: string) => ["first", ...numbered(50_000, word), "last"].join("\n");
  const { runs, isWhole } = toDiff({ before: many("a"), after: many("b") });
  expect(isWhole).toBe(true);
  expect(runs.map(({ kind, lines }) => `${kind} ${lines.length}`)).toEqual([
    "same 1",
    "removed 50000",
    "added 50000",
    "same 1",
  ]);
});

test("a small change in a huge text is found", () => {
  const before = numbered(100_000);
  const after = before.with(70_000, "changed");
  const { runs, isWhole } = toDiff({ before: before.join("\n"), after: after.join("\n") });
  expect([isWhole, runs.length]).toEqual([false, 6]);
});

test("a patch is read by its marks, as far as its hunks go", () => {
  const patch = "--- a\n+++ b\n@@ -1,3 +1,3 @@\n--- x\n+++ y\n z\n\n\\ No newline";
  expect(marked(toDiff({ patch }))).toEqual([
    "@--- a",
    "@+++ b",
    "@@@ -1,3 +1,3 @@",
    "--- x",
    "+++ y",
    " z",
    " ",
    "@\\ No newline",
  ]);
});

test("a patch without lengths of its hunks is read by its marks too", () => {
  const patch = "*** Update File: a\n@@\n-x\n+y\n z\n*** End Patch";
  expect(marked(toDiff({ patch }))).toEqual([
    "@*** Update File: a",
    "@@@",
    "-x",
    "+y",
    " z",
    "@*** End Patch",
  ]);
});

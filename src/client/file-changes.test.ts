import { expect, test } from "vitest";
import type { FileChange } from "../protocol/index.ts";
import { countsOf, isLarge, toFileDiffs } from "./file-changes.ts";

const one = (change: Partial<FileChange>, folder?: string) =>
  toFileDiffs([{ path: "/srv/a.ts", kind: "edit", ...change }], folder)[0]!;

const marked = ({ runs }: ReturnType<typeof one>) =>
  runs.flatMap(({ kind, lines }) => lines.map((line) => `${kind} ${line}`));

test("the line break at the end of a file is no line that comes or goes", () => {
  expect(marked(one({ kind: "add", newText: "a\nb\n" }))).toEqual(["added a", "added b"]);
  expect(marked(one({ oldText: "a\nb\n", newText: "a\nc\n" }))).toEqual([
    "same a",
    "removed b",
    "added c",
  ]);
});

test("that only one of two texts ends in a line break is seen", () => {
  const { added, removed } = one({ oldText: "a", newText: "a\n" });
  expect(added + removed).toBeGreaterThan(0);
});

test("each kind of change counts its lines, and says what is not known", () => {
  expect(countsOf(one({ kind: "delete", oldText: "a\nb\n" }))).toBe("−2");
  expect(one({ kind: "delete" }).note).toBe("What is in it is not shown.");
  expect(one({ kind: "move", to: "/srv/b.ts" }).note).toBe("What is in it stays.");
  expect(one({ newText: "a\n" }).note).toContain("takes the place of all that was in it");
  expect(one({ oldText: "a", newText: "a" }).note).toBe("Nothing in it changes.");
  expect(one({ kind: "add", newText: "" }).note).toBe("It is empty.");
  expect(one({}).note).toBe("What changes in it is not known here.");
});

test("paths in the folder of the call are shown from there on, others whole", () => {
  expect(one({ to: "/etc/b" }, "/srv")).toMatchObject({ path: "a.ts", to: "/etc/b" });
  expect(one({ path: "/srvx/a.ts" }, "/srv").path).toBe("/srvx/a.ts");
});

test("in hunks of one file every line is what its mark says, also without numbers", () => {
  const diff =
    "@@\n--- sql comment\n+++ plus\n same\n@@ -9,2 +9,1 @@ fn()\n-@@ not a head\n same\n";
  expect(marked(one({ diff }))).toEqual([
    "note @@",
    "removed -- sql comment",
    "added ++ plus",
    "same same",
    "note @@ -9,2 +9,1 @@ fn()",
    "removed @@ not a head",
    "same same",
  ]);
});

test("a file of which many lines change is large, whatever stays around them", () => {
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${word}${at}\n`).join("");
  const rest = lines("same ", 5_000);
  expect(isLarge(one({ oldText: rest, newText: rest + lines("new ", 120) }))).toBe(false);
  expect(isLarge(one({ oldText: rest, newText: rest + lines("new ", 121) }))).toBe(true);
});

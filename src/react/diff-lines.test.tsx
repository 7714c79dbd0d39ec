import { expect, test } from "vitest";
import { diffLines } from "./diff-lines.ts";

test("a change shows what goes and what comes between the lines that stay", () => {
  const lines = diffLines("a\nb\nc\nd", "a\nB\nC\nd").map(({ mark, text }) => mark + text);
  expect(lines).toEqual([" a", "-b", "-c", "+B", "+C", " d"]);
  expect(diffLines("a\na", "a").map(({ mark }) => mark)).toEqual([" ", "-"]);
});

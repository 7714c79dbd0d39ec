import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toDiff } from "./diff.ts";

/** What changed stands in brackets. */
const marked = (before: string, after: string) =>
  toDiff({ before, after }).runs.flatMap(({ kind, lines, words }) =>
    lines.map((line, at) => {
      const pieces = words?.[at] ?? [{ text: line, isChanged: false }];
      return `${kind} ${pieces.map((one) => (one.isChanged ? `[${one.text}]` : one.text)).join("")}`;
    }),
  );

test("in a line that takes the place of another the words are marked that differ", () => {
  expect(marked("const price = 10;", "const price = 12;")).toEqual([
    "removed const price = [10];",
    "added const price = [12];",
  ]);
  expect(marked("a\nlet one = call(x);\nb", "a\nlet one = call(x, y);\nb")).toEqual([
    "same a",
    "removed let one = call(x);",
    "added let one = call(x[, y]);",
    "same b",
  ]);
});

test("a line that is mostly another has no marks, nor one among a different number of lines", () => {
  expect(marked("import fs from 'node:fs';", "export default 12;")).toEqual([
    "removed import fs from 'node:fs';",
    "added export default 12;",
  ]);
  expect(marked("const a = 1;", "const a = 2;\nconst b = 3;")).toEqual([
    "removed const a = 1;",
    "added const a = 2;",
    "added const b = 3;",
  ]);
});

test("a line's marked words are the line, whatever is in it", () => {
  const line = fc
    .string({ unit: "binary", maxLength: 40 })
    .map((text) => text.replaceAll("\n", ""));
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 6 }),
      fc.array(line, { maxLength: 6 }),
      (one, other) => {
        const { runs } = toDiff({ before: one.join("\n"), after: other.join("\n") });
        for (const { lines, words } of runs) {
          const pieced = words?.map((pieces, at) =>
            pieces ? pieces.map(({ text }) => text).join("") : lines[at],
          );
          expect(pieced ?? lines).toEqual(lines);
        }
      },
    ),
    { numRuns: 30 },
  );
});

import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { patternSize, patternWeight } from "./pattern-size.ts";

const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  pattern: fc
    .array(
      fc.tuple(
        tie("atom"),
        fc.constantFrom("", "", "*", "+?", "?", "{3}", "{0,9}", "{2,}", "{1,4}?", "|", "{,"),
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.map(([atom, quantifier]) => atom + quantifier).join("")),
  atom: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("a", ".", "\\d", "\\pL", "\\p{Greek}", "\\x{1F600}", "\\(", "\\Qa(b{2}\\E"),
    fc.constantFrom("[a-z]", "[^]()]", "[[:alpha:])(]", "[\\]{9}]", "^", "$", "\\b", "é", "😀"),
    tie("pattern").map((inner) => `(${inner})`),
    tie("pattern").map((inner) => `(?:${inner})`),
    tie("pattern").map((inner) => `(?P<name>${inner})`),
    tie("pattern").map((inner) => `(?i:${inner})`),
  ),
}));

test("no program is larger than its pattern was said to be", () => {
  fc.assert(
    fc.property(pattern, (source) => {
      let program: RE2JS;
      try {
        program = RE2JS.compile(source);
      } catch {
        return;
      }
      expect(patternSize(source)).toBeGreaterThanOrEqual(program.programSize());
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["a few characters that stand for thousands", ".{0,999}".repeat(124), 247_000, 249_000],
  ["counts of counts", "((a{100}){100}){100}", 1_000_000, 1_100_000],
  ["what people write", "^[a-z0-9-]{1,63}(\\.[a-z]{2,})*$", 100, 200],
])("%s: the size is near the truth", (_what, source, least, most) => {
  expect(patternSize(source)).toBeGreaterThanOrEqual(least);
  expect(patternSize(source)).toBeLessThanOrEqual(most);
});

test.each([
  ["properties", "\\p{L}\\PN".repeat(90), 27_000],
  ["ranges without regard to case", `(?i)[${"B-\\x{1e942}".repeat(80)}]`, 300_000],
  ["the same in a group of their own", "a(?i:[B-\u{1e942}])", 4_000],
])("%s weigh more than the instructions that they become", (_what, source, least) => {
  expect(patternWeight(source)).toBeGreaterThanOrEqual(least);
});

test.each([
  "^[a-z0-9-]{1,63}(\\.[a-z]{2,})*$",
  "(?i)^[a-zà-ÿ0-9 _-]{1,80}$",
  "^[\\p{L}\\p{M}' .-]{1,200}$",
  "[B-\\x{1e942}]+",
])("what people write weighs little: %s", (source) => {
  expect(patternWeight(source)).toBeLessThan(1_000);
});

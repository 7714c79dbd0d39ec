import { expect, test } from "vitest";
import { fieldPattern, schemaPattern } from "./linear-patterns.ts";

test("a pattern is compiled once, for whichever field or schema it is asked for again", () => {
  const first = fieldPattern("^once{2,40}$");
  expect(fieldPattern("^once{2,40}$")).toBe(first);
  expect(schemaPattern("^once{2,40}$")).toBe(first);
});

test("of many large patterns those used last are kept, and the others are let go", () => {
  const large = (number: number) => `${"a{950}".repeat(4)}b{${number}}`;
  const [oldest, used] = [fieldPattern(large(1)), fieldPattern(large(2))];
  for (let number = 3; number < 40; number++) {
    fieldPattern(large(number));
    expect(fieldPattern(large(2))).toBe(used);
  }
  expect(fieldPattern(large(1))).not.toBe(oldest);
});

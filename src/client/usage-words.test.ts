import { expect, test } from "vitest";
import { usageWords } from "./usage-words.ts";

test("model, tokens and cost stand in one line, as far as they are known", () => {
  expect(usageWords({ model: "m-1", usage: { input: 1_234_567, output: 89, cost: 1.239 } })).toBe(
    "m-1 · 1,234,567 tokens in, 89 out · $1.24",
  );
  expect(usageWords({ usage: { input: 1, output: 0, cost: 0.001 } })).toBe(
    "1 tokens in, 0 out · less than $0.01",
  );
  expect(usageWords({ model: "m-1" })).toBe("m-1");
  expect(usageWords({})).toBe("");
});

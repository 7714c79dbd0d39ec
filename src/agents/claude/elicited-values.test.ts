import { expect, test } from "vitest";
import { elicitedErrors, type Property } from "./elicited-values.ts";

const error = (property: Property, value: unknown) =>
  elicitedErrors([["it", property]], { it: value })["it"];

test.each(["ada@example.com", "a.b+c@sub.example.org"])("%j is an e-mail address", (value) => {
  expect(error({ type: "string", format: "email" }, value)).toBeUndefined();
});

test.each(["ada", "ada@home", "@example.com", "a@b@c.de", "a..b@example.com", "a b@example.com"])(
  "%j is none",
  (value) => {
    expect(error({ type: "string", format: "email" }, value)).toContain("e-mail");
  },
);

test("an address is a whole one", () => {
  expect(error({ format: "uri" }, "https://example.com/a")).toBeUndefined();
  expect(error({ format: "uri" }, "example")).toContain("https://");
});

test("a list has as many as it may, and what is left empty is judged by whether it is required", () => {
  expect(error({ type: "array", minItems: 2 }, ["a"])).toBe("Choose at least 2.");
  expect(error({ type: "array", maxItems: 1 }, ["a", "b"])).toBe("Choose at most 1.");
  expect(error({ type: "array", minItems: 1, maxItems: 2 }, ["a"])).toBeUndefined();
  expect(error({ format: "email" }, "")).toBeUndefined();
  expect(elicitedErrors([["it", { format: "email" }]], {})).toEqual({});
});

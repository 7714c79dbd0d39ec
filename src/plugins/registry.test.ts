import { expect, test } from "vitest";
import { builtinTools } from "./builtin/index.ts";
import { createToolRegistry } from "./registry.ts";

test("a registry finds tools by name", () => {
  const registry = createToolRegistry(builtinTools);
  expect(registry.get("ask_user")).toBe(builtinTools[0]);
  expect(registry.get("constructor")).toBeUndefined();
  expect(registry.list()).toEqual(builtinTools);
});

test("two tools with one name are refused", () => {
  expect(() => createToolRegistry([...builtinTools, ...builtinTools])).toThrow(
    'Two tools are called "ask_user". Give one of them another name.',
  );
});

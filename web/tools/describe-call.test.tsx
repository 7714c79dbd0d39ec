import { expect, test } from "vitest";
import type { ToolCallView } from "../../src/client/index.ts";
import { describeCall } from "./describe-call.ts";

const described = (command: string) => describeCall({ input: { command } } as ToolCallView);

test("a command of several lines is described in one, without escapes of its line ends", () => {
  expect(described("npm ci\n\n  npm test\n")).toBe("npm ci ↵ npm test ↵ ");
});

test("what hides in it is still shown", () => {
  expect(described("a\rb\u00A0\nc\u202E")).toBe("a\\u{D}b\\u{A0} ↵ c\\u{202E}");
});

import { expect, test } from "vitest";
import type { ChatView, ToolCallView } from "../../src/client/index.ts";
import { describeCall, subAgentOf } from "./describe-call.ts";

const described = (command: string) => describeCall({ input: { command } } as ToolCallView);

test("a command of several lines is described in one, without escapes of its line ends", () => {
  expect(described("npm ci\n\n  npm test\n")).toBe("npm ci ↵ npm test ↵ ");
});

test("what hides in it is still shown", () => {
  expect(described("a\rb\u00A0\nc\u202E")).toBe("a\\u{D}b\\u{A0} ↵ c\\u{202E}");
});

test("a call of a sub-agent names the sub-agent by its work, else by its kind", () => {
  const by = (input: object) =>
    subAgentOf(
      { calls: new Map([["task", { input }]]) } as unknown as ChatView,
      { parentCallId: "task" } as ToolCallView,
    );
  expect(by({ description: "count doors", subagent_type: "Explore" })).toBe("count doors");
  expect(by({ subagent_type: "Explore" })).toBe("Explore");
  expect(by({})).toBe("a sub-agent");
  expect(subAgentOf({ calls: new Map() } as unknown as ChatView, {} as ToolCallView)).toBe(
    undefined,
  );
});

import { expect, test } from "vitest";
import { createClaudeCliAgent } from "../claude-cli/index.ts";
import { createClaudeAgent } from "./index.ts";

test.each([
  ["all count", undefined, true],
  ["the project's count", ["project" as const], true],
  ["only the user's count", ["user" as const], false],
])("where of the settings %s, its folder can allow it things or not", (_which, sources, does) => {
  const options = sources ? { settingSources: sources } : {};
  for (const agent of [createClaudeAgent(options), createClaudeCliAgent(options)]) {
    expect(agent.capabilities.folderRules).toBe(does);
  }
});

test.each([["--dangerously-skip-permissions"], ["--permission-mode", "bypassPermissions"]])(
  "a claude command that is told %s asks nothing",
  (...args) => {
    expect(createClaudeCliAgent({ args }).capabilities.unasked).toBe(true);
    expect(createClaudeCliAgent().capabilities.unasked).toBe(false);
  },
);

import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createAgents } from "./create-agents.ts";

test("how to install the SDK is said with a whole path, wherever the command is typed", () => {
  const claude = createAgents({}, "data", {}).find(({ id }) => id === "claude");
  expect(claude?.need?.install).toContain(`--prefix ${resolve("data", "agents")} `);
});

test("the agent that the settings name is the first, and the others stay in order", () => {
  const ids = createAgents({ defaults: { agent: "codex" } }, "data", {}).map(({ id }) => id);
  expect(ids).toEqual(["codex", "demo", "claude", "claude-cli"]);
});

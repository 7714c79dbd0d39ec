import { expect, test } from "vitest";
import { latest, says, startFakeAnthropic, toolUse } from "../../../src/testing/index.ts";
import { agentPage, answersWhatACommandAsks } from "../agent-page.ts";
import { findClaudeCode } from "../claude-code/code-house.ts";

const at = agentPage(startFakeAnthropic, (model, home) => {
  const env = { ...model.env(home), IS_SANDBOX: "1" };
  return { "claude-cli": { command: findClaudeCode(), settingSources: [], env } };
});

test("what a command of Claude Code's asks stands at its call, live and after a reload, and is answered there", async () => {
  at.model.answer([
    says("I look first.", toolUse("toolu_p1", "Bash", { command: "echo looked" })),
    says("Now I ask.", toolUse("toolu_p2", "Bash", { command: 'beckon ask "Which colour?"' })),
    says("**Blue** it is."),
  ]);
  const permissionMode = "bypassPermissions";
  await answersWhatACommandAsks(at, { agent: "claude-cli", cwd: at.home, permissionMode });
  expect(latest(at.model.requests.at(-1)!).results[0]?.text).toContain("Blue");
});

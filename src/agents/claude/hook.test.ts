import { expect, test } from "vitest";
import type { HookAsker } from "../../core/index.ts";
import { answerHook } from "./hook.ts";

test("the card says all that Claude Code will no longer ask about in its session", async () => {
  let asked: unknown;
  const asker: HookAsker = {
    timeoutMs: null,
    ask(question) {
      asked = question.prompt;
      const response = { action: "approve", approvalScope: "session" };
      return Promise.resolve({ status: "answered", response, request: {} } as never);
    },
  };
  const permission_suggestions = [
    { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "mkdir a *" }] },
    { type: "addDirectories", directories: ["/srv"] },
    { type: "setMode", mode: "acceptEdits" },
  ];
  const posted = {
    hook_event_name: "PermissionRequest",
    session_id: "s",
    tool_name: "Bash",
    tool_input: {},
  };
  const reply = await answerHook({ ...posted, permission_suggestions }, asker);
  expect(asked).toMatchObject({
    approvalCovers: {
      session: [
        "Claude Code lets run whatever fits Bash(mkdir a *), in this session.",
        "Claude Code may work in the folder /srv, in this session.",
        "Claude Code changes to its mode acceptEdits.",
      ],
    },
  });
  expect(JSON.stringify(reply)).toContain("acceptEdits");
});

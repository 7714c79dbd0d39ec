import { expect, test } from "vitest";
import type { HookAsker } from "../../core/index.ts";
import { answerHook } from "./hook.ts";

test("the card says all that Claude Code will no longer ask about in its session", async () => {
  let asked: unknown;
  const asker: HookAsker = {
    timeoutMs: null,
    decidedElsewhere: () => Promise.resolve(false),
    state: () => Promise.resolve(null),
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

test("what a Claude Code asks that Beckon runs is not asked again by its hook, except before every use", async () => {
  const asked: string[] = [];
  const asker: HookAsker = {
    timeoutMs: null,
    decidedElsewhere: () => Promise.resolve(false),
    state: () => Promise.resolve({ v: 1, sessionId: "ours" }),
    ask({ place, caller }) {
      asked.push(`${place.key} ${caller?.toolCallId}`);
      const response = { action: "approve" };
      return Promise.resolve({ status: "answered", response, request: {} } as never);
    },
  };
  const post = (hook_event_name: string, session_id: string) =>
    answerHook(
      { hook_event_name, session_id, tool_name: "Bash", tool_use_id: "u1", tool_input: {} },
      asker,
    );
  expect(await post("PermissionRequest", "ours")).toEqual({});
  expect(asked).toEqual([]);
  await post("PreToolUse", "ours");
  await post("PermissionRequest", "another");
  expect(asked).toEqual(["ours u1", "another u1"]);
});

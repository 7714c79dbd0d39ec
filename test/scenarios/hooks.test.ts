import { expect } from "vitest";
import { createClaudeAgent } from "../../src/agents/index.ts";
import { checkLog } from "./always-true.ts";
import { decision, PERMISSION, post, PRE_TOOL_USE, PROMPT_TOOL, respond } from "./hook-calls.ts";
import { inEveryMode } from "./verifies.ts";
import { Watch } from "./watch.ts";

const CLAUDE = { agents: [createClaudeAgent()] };

const SUGGESTION = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "mkdir *" }],
  behavior: "allow",
  destination: "localSettings",
};

const COLOURS = {
  question: "Which colour?",
  header: "A rather long header",
  multiSelect: false,
  options: [{ label: "Red" }, { label: "Blue" }],
};
const SIZES = { ...COLOURS, question: "Which sizes?", multiSelect: true };

inEveryMode(
  "what a person approved may run, by either hook and the tool",
  CLAUDE,
  async (world) => {
    const watch = await Watch.start(world);
    const held = post(world, PERMISSION);
    const asked = await watch.prompt();
    expect(asked).toMatchObject({
      toolName: "Bash",
      request: {
        interactionType: "approval",
        approvalScopes: ["once"],
        toolInput: PERMISSION.tool_input,
        context: { cwd: PERMISSION.cwd },
      },
    });
    await respond(world, asked, { action: "approve" });
    const reply = await held;
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    });
    const second = post(world, PRE_TOOL_USE);
    await respond(world, await watch.prompt(), { action: "approve" });
    expect((await second).body.hookSpecificOutput).toMatchObject({
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
    });
    const third = post(world, PROMPT_TOOL);
    await respond(world, await watch.prompt(), { action: "approve" });
    expect((await third).body).toEqual({ behavior: "allow", updatedInput: PERMISSION.tool_input });
    const { body } = await world.http("GET", `/api/sessions/${asked.sessionId}`);
    expect(body).toMatchObject({
      title: "Claude Code in shop",
      agent: "outside",
      cwd: "/home/ada/shop",
    });
    const log = await world.log(asked.sessionId);
    expect(log.filter(({ type }) => type === "tool_call")).toHaveLength(3);
    checkLog(log);
  },
);

inEveryMode("a denial carries the person's reason, and a stop", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const answers: [object, object, object][] = [
    [
      PERMISSION,
      { reason: "Not here." },
      { behavior: "deny", message: "Not here.", interrupt: false },
    ],
    [PERMISSION, {}, { message: "The user denied this tool call.", interrupt: false }],
    [PERMISSION, { reason: "Enough.", stop: true }, { message: "Enough.", interrupt: true }],
  ];
  for (const [body, answer, expected] of answers) {
    const held = post(world, body);
    await respond(world, await watch.prompt(), { action: "deny", ...answer });
    expect(decision(await held)).toMatchObject(expected);
  }
  const before = post(world, PRE_TOOL_USE);
  await respond(world, await watch.prompt(), { action: "deny", reason: "Enough.", stop: true });
  expect((await before).body).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "Enough.",
    },
    continue: false,
    stopReason: "Enough.",
  });
  const tool = post(world, PROMPT_TOOL);
  await respond(world, await watch.prompt(), { action: "deny", reason: "No.", stop: true });
  expect((await tool).body).toEqual({ behavior: "deny", message: "No.", interrupt: true });
});

inEveryMode(
  "for the session means what Claude Code suggested, kept by it",
  CLAUDE,
  async (world) => {
    const watch = await Watch.start(world);
    const held = post(world, { ...PERMISSION, permission_suggestions: [SUGGESTION] });
    const asked = await watch.prompt();
    expect(asked.request.approvalScopes).toEqual(["once", "session"]);
    expect(asked.request.approvalCovers.session).toEqual([
      "Claude Code lets run whatever fits Bash(mkdir *), in this session.",
    ]);
    await respond(world, asked, { action: "approve", approvalScope: "session" });
    expect(decision(await held)).toEqual({
      behavior: "allow",
      updatedPermissions: [{ ...SUGGESTION, destination: "session" }],
    });
  },
);

inEveryMode(
  "a hook that cannot tell Claude Code to remember offers no approval for the session",
  CLAUDE,
  async (world) => {
    const watch = await Watch.start(world);
    const held = post(world, { ...PRE_TOOL_USE, permission_suggestions: [SUGGESTION] });
    const asked = await watch.prompt();
    expect(asked.request.approvalScopes).toEqual(["once"]);
    expect(asked.request).not.toHaveProperty("approvalCovers");
    await respond(world, asked, { action: "approve" });
    expect(JSON.stringify((await held).body)).toContain("allow");
  },
);

inEveryMode("time that runs out never approves", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  for (const body of [PERMISSION, PRE_TOOL_USE, PROMPT_TOOL]) {
    const held = post(world, body, { "x-timeout-ms": "119000" });
    await watch.prompt();
    await world.clock.settle();
    await world.advance(119_001);
    const reply = JSON.stringify((await held).body);
    expect(reply).toContain("Nobody answered within 119 seconds");
    expect(reply).toContain('"deny"');
    expect(reply).not.toContain("allow");
  }
  const never = post(world, PERMISSION, { "x-timeout-ms": "never" });
  const asked = await watch.prompt();
  expect(asked.expiresAt).toBeUndefined();
  await respond(world, asked, { action: "deny" });
  await never;
});

inEveryMode("questions are answered by their texts", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const tool_input = { questions: [COLOURS, SIZES] };
  const body = { ...PROMPT_TOOL, tool_name: "AskUserQuestion", tool_input };
  const held = post(world, body);
  const asked = await watch.prompt();
  expect(asked.request).toMatchObject({
    interactionType: "input",
    presentation: "questionnaire",
    questions: [{ question: "Which colour?", header: "A rather lon" }, { multiSelect: true }],
  });
  await respond(world, asked, {
    action: "submit",
    input: { answers: { 0: "Green", 1: '["Red","Blue"]' } },
  });
  expect((await held).body).toMatchObject({
    behavior: "allow",
    updatedInput: { answers: { "Which colour?": "Green", "Which sizes?": "Red, Blue" } },
  });
  const second = post(world, { ...body, hook_event_name: "PermissionRequest" });
  await respond(world, await watch.prompt(), { action: "cancel" });
  expect(decision(await second)).toMatchObject({
    behavior: "deny",
    message: "The user did not want to answer these questions.",
  });
});

inEveryMode("what runs is the input as the person changed it", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const updatedInput = { command: "mkdir drawer" };
  const replies: [body: object, expected: object][] = [
    [PERMISSION, { hookSpecificOutput: { decision: { behavior: "allow", updatedInput } } }],
    [PRE_TOOL_USE, { hookSpecificOutput: { permissionDecision: "allow", updatedInput } }],
    [PROMPT_TOOL, { behavior: "allow", updatedInput }],
  ];
  for (const [body, expected] of replies) {
    const held = post(world, body);
    await respond(world, await watch.prompt(), { action: "approve", updatedInput });
    expect((await held).body).toMatchObject(expected);
  }
  const held = post(world, PERMISSION);
  await respond(world, await watch.prompt(), { action: "approve", updatedInput: "mkdir" });
  expect(decision(await held)).toMatchObject({ behavior: "deny" });
});

inEveryMode("a plan is shown as one", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const tool_input = { plan: "1. Dig. 2. Plant." };
  const held = post(world, { ...PERMISSION, tool_name: "ExitPlanMode", tool_input });
  const asked = await watch.prompt();
  expect(asked.request).toMatchObject({ kind: "plan", prompt: tool_input.plan });
  await respond(world, asked, { action: "approve", optionId: "edits" });
  expect(decision(await held)).toEqual({
    behavior: "allow",
    updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
  });
});

import { expect } from "vitest";
import { createClaudeAgent } from "../../src/agents/index.ts";
import { defineTool } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { PERMISSION, post } from "./hook-calls.ts";
import { openShell, type Shell, shellAgent } from "./shell.ts";
import { askingTool } from "./tools.ts";
import { callTool, createDoor, operate } from "./turns.ts";
import { outline, sharedView } from "./views.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

const COLOUR = `beckon ask "Which colour?"`;
const QUESTION = { type: "approval", prompt: "Which colour?", caller: { command: COLOUR } };

const ask = askingTool("outside_ask", () => ({
  type: "approval",
  timeoutMs: null,
  onResponse: ({ action }) => ({ complete: action }),
}));
let door = createDoor();
const ownShell = defineTool({
  name: "t_shell",
  description: "Runs a command, as far as anybody can see.",
  parameters: { type: "object" },
  async handler() {
    door.arrive();
    await door.opened;
  },
});
const options = { agents: [shellAgent, createClaudeAgent()], tools: [ask, ownShell] };

/** Asks as a program does that the shell runs, and says what became of it. */
function askIn(world: World, { machine }: Pick<Shell, "machine">, body: object = QUESTION) {
  const asked = { status: "waiting" as string };
  const reply = world.http("POST", "/api/interactions", body, machine).then(({ body: record }) => {
    asked.status = "there";
    return record as { id: string; toolCallId: string };
  });
  return { asked, reply };
}

/** Lets what was sent arrive, and everything be done that needs no time. */
async function arrive(world: World): Promise<void> {
  for (let times = 0; times < 2; times++) {
    await world.http("GET", "/api/sessions");
    await world.clock.settle();
  }
}

const GROWN_UP = 300;

/** The prompt stands alone: a call of its own, and no turn that it does not know. */
async function expectAlone(world: World, sessionId: string, toolCallId: string): Promise<void> {
  const log = await world.log(sessionId);
  checkLog(log);
  const own = log.filter(
    (event) =>
      (event.type === "tool_call" || event.type === "interaction_request") &&
      event.payload.toolCallId === toolCallId,
  );
  expect(own.map(({ type, turnId }) => [type, turnId])).toEqual([
    ["tool_call", undefined],
    ["interaction_request", undefined],
  ]);
  expect(own[0]?.payload).toMatchObject({ origin: "http" });
}

for (const [how, command, body] of [
  ["by its command line", `cd /srv && ${COLOUR}`, QUESTION],
  [
    "by the address that it calls",
    `curl -s $BECKON_URL/api/interactions -d '{"type":"approval","prompt":"Which colour?"}'`,
    { type: "approval", prompt: "Which colour?" },
  ],
] as const) {
  inEveryMode(`what a shell's program asks finds its call ${how}`, options, async (world) => {
    const shell = await openShell(world);
    const { client, session } = shell;
    const call = await shell.begin("toolu_1", { command });
    await shell.begin("toolu_2", { command: "sleep 60" });
    await shell.begin("toolu_3", { file_path: "ask.sh", content: command }, "Write");
    await world.advance(GROWN_UP);
    const record = await askIn(world, shell, body).reply;
    expect(record.toolCallId).toBe("toolu_1");
    const begun = await client.event("tool_call");
    const request = await client.event("interaction_request");
    expect(request).toMatchObject({
      turnId: begun.turnId,
      responseId: begun.responseId,
      payload: { toolCallId: "toolu_1", anchored: true },
    });
    await call.end({ ok: true, result: "" });
    expect((await client.event("interaction_closed")).payload.reason).toBe("failed");
    const log = await world.log(session.id);
    expect(log.filter(({ type }) => type === "tool_call")).toHaveLength(3);
    checkLog(log);
  });
}

inEveryMode("an operation finds the call that runs its caller", options, async (world) => {
  const shell = await openShell(world);
  const command = `beckon call outside ask '{"a":"ä b"}'`;
  await shell.begin("toolu_1", { cmd: ["bash", "-lc", command] });
  await world.advance(GROWN_UP);
  const headers = { ...shell.machine, "x-caller-command": encodeURIComponent(command) };
  const reply = operate(world, shell.session.id, "outside_ask", { a: "ä b" }, headers);
  const request = await shell.client.event("interaction_request");
  expect(request.payload).toMatchObject({ toolCallId: "toolu_1", toolName: "outside_ask" });
  await shell.client.answer(request, { action: "approve" });
  expect((await reply).body).toEqual({ ok: true, result: "approve" });
});

inEveryMode(
  "a call that is told of after its program asked is waited for",
  options,
  async (world) => {
    const shell = await openShell(world);
    await shell.begin("toolu_0", { command: "make" });
    const { asked, reply } = askIn(world, shell);
    await arrive(world);
    expect(asked.status).toBe("waiting");
    await shell.begin("toolu_1", { command: COLOUR });
    await arrive(world);
    await world.advance(GROWN_UP);
    expect((await reply).toolCallId).toBe("toolu_1");
  },
);

inEveryMode(
  "a call that its program names before it is told of is waited for, whatever the words of others",
  options,
  async (world) => {
    const shell = await openShell(world);
    await shell.begin("toolu_0", { command: COLOUR });
    await world.advance(GROWN_UP);
    const caller = { command: COLOUR, toolCallId: "toolu_1" };
    const { asked, reply } = askIn(world, shell, { ...QUESTION, caller });
    await arrive(world);
    expect(asked.status).toBe("waiting");
    await shell.begin("toolu_1", { command: "sh paint.sh" });
    expect((await reply).toolCallId).toBe("toolu_1");
  },
);

inEveryMode("a call that does not come is waited for one second", options, async (world) => {
  const shell = await openShell(world);
  await shell.begin("toolu_0", { command: "make" });
  const { asked, reply } = askIn(world, shell);
  await arrive(world);
  await world.advance(950);
  await arrive(world);
  expect(asked.status).toBe("waiting");
  await world.advance(100);
  const { toolCallId } = await reply;
  await expectAlone(world, shell.session.id, toolCallId);
});

inEveryMode(
  "when the turn ends no call can come, and nobody waits for it",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { asked, reply } = askIn(world, shell);
    await arrive(world);
    expect(asked.status).toBe("waiting");
    shell.leave();
    const { toolCallId } = await reply;
    await expectAlone(world, shell.session.id, toolCallId);
  },
);

inEveryMode("of two equal calls neither is taken for the one that asks", options, async (world) => {
  const shell = await openShell(world);
  await shell.begin("toolu_1", { command: COLOUR });
  await shell.begin("toolu_2", { command: COLOUR });
  const { toolCallId } = await askIn(world, shell).reply;
  await expectAlone(world, shell.session.id, toolCallId);
});

inEveryMode(
  "an equal call that is told of a moment later is not forgotten either",
  options,
  async (world) => {
    const shell = await openShell(world);
    await shell.begin("toolu_1", { command: COLOUR });
    const { asked, reply } = askIn(world, shell);
    await arrive(world);
    expect(asked.status).toBe("waiting");
    await world.advance(100);
    await shell.begin("toolu_2", { command: COLOUR });
    const { toolCallId } = await reply;
    await expectAlone(world, shell.session.id, toolCallId);
  },
);

inEveryMode(
  "a call that asks this already is not given another's question, but its own next one",
  options,
  async (world) => {
    const shell = await openShell(world);
    await shell.begin("toolu_1", { command: `${COLOUR} & beckon ask "Which size?"` });
    await world.advance(GROWN_UP);
    expect((await askIn(world, shell).reply).toolCallId).toBe("toolu_1");
    const again = askIn(world, shell);
    await arrive(world);
    expect(again.asked.status).toBe("waiting");
    const caller = { command: `beckon ask "Which size?"` };
    const next = askIn(world, shell, { ...QUESTION, prompt: "Which size?", caller });
    expect((await next.reply).toolCallId).toBe("toolu_1");
    await world.advance(1_000);
    await expectAlone(world, shell.session.id, (await again.reply).toolCallId);
  },
);

inEveryMode(
  "of two equal calls the one that runs is the place, and not the one that waits for approval",
  options,
  async (world) => {
    const shell = await openShell(world);
    await shell.begin("toolu_1", { command: COLOUR });
    const other = await shell.begin("toolu_2", { command: COLOUR });
    const approved = other.approve({ timeoutMs: null });
    const request = await shell.client.event("interaction_request");
    await world.advance(GROWN_UP);
    expect((await askIn(world, shell).reply).toolCallId).toBe("toolu_1");
    await shell.client.answer(request, { action: "approve" });
    await approved;
  },
);

inEveryMode("a command that a person changed is compared as it runs", options, async (world) => {
  const shell = await openShell(world);
  const call = await shell.begin("toolu_1", { command: `beckon confirm "Which colour?"` });
  const approved = call.approve({ editable: true, timeoutMs: null });
  const request = await shell.client.event("interaction_request");
  await shell.client.answer(request, { action: "approve", updatedInput: { command: COLOUR } });
  expect((await approved).edited).toBe(true);
  await world.advance(GROWN_UP);
  expect((await askIn(world, shell).reply).toolCallId).toBe("toolu_1");
});

inEveryMode("a command line without a word in it is none", options, async (world) => {
  const shell = await openShell(world);
  await shell.begin("toolu_1", { command: "ls /tmp/" });
  const { asked, reply } = askIn(world, shell, { ...QUESTION, caller: { command: " " } });
  await arrive(world);
  expect(asked.status).toBe("waiting");
  await world.advance(1_000);
  await expectAlone(world, shell.session.id, (await reply).toolCallId);
});

inEveryMode("a hint that is out of date leaves it to the words", options, async (world) => {
  const shell = await openShell(world);
  const old = await shell.begin("toolu_0", { command: COLOUR });
  await old.end({ ok: true, result: "" });
  await shell.begin("toolu_1", { command: COLOUR });
  await world.advance(GROWN_UP);
  const caller = { toolCallId: "toolu_0", command: COLOUR };
  expect((await askIn(world, shell, { ...QUESTION, caller }).reply).toolCallId).toBe("toolu_1");
});

inEveryMode("a hint that is good needs no words and no time", options, async (world) => {
  const shell = await openShell(world);
  await shell.begin("toolu_1", { command: "./ask.sh" });
  const caller = { toolCallId: "toolu_1", command: COLOUR };
  expect((await askIn(world, shell, { ...QUESTION, caller }).reply).toolCallId).toBe("toolu_1");
});

inEveryMode(
  "a question that is asked again by another call is the one that is there",
  options,
  async (world) => {
    const shell = await openShell(world);
    const body = { ...QUESTION, requestId: "colour-1" };
    await shell.begin("toolu_1", { command: "./ask.sh" });
    const first = { ...body, caller: { toolCallId: "toolu_1" } };
    const asked = await askIn(world, shell, first).reply;
    await shell.begin("toolu_2", { command: "./ask.sh" });
    const second = { ...body, caller: { toolCallId: "toolu_2", command: COLOUR } };
    expect(await askIn(world, shell, second).reply).toMatchObject({
      id: asked.id,
      toolCallId: "toolu_1",
    });
  },
);

inEveryMode(
  "nobody waits who is not of the turn, nor where no call could come",
  options,
  async (world) => {
    const shell = await openShell(world);
    await shell.begin("toolu_1", { command: COLOUR });
    const stranger = { authorization: `Bearer ${await world.machine()}` };
    const person = { authorization: `Bearer ${world.owner}` };
    const named = { ...QUESTION, sessionId: shell.session.id };
    const byPerson = await askIn(world, { machine: person }, named).reply;
    await expectAlone(world, shell.session.id, byPerson.toolCallId);
    expect((await askIn(world, { machine: stranger }).reply).toolCallId).not.toBe("toolu_1");

    door = createDoor();
    const { session, client } = await world.conversation();
    const machine = { authorization: `Bearer ${await world.machine(session.id)}` };
    const idle = await askIn(world, { machine }).reply;
    await expectAlone(world, session.id, idle.toolCallId);
    const turn = await callTool(client, session.id, "t_shell", { command: "make" });
    await door.reached;
    const busy = await askIn(world, { machine }).reply;
    await expectAlone(world, session.id, busy.toolCallId);
    door.open();
    await turn.end();
  },
);

inEveryMode(
  "a hook of Claude Code that asks in the turn waits for no call",
  options,
  async (world) => {
    const shell = await openShell(world);
    const reply = post(world, PERMISSION, shell.machine);
    const request = await shell.client.event("interaction_request");
    expect(request.payload.anchored).toBeUndefined();
    await shell.client.answer(request, { action: "approve" });
    expect((await reply).status).toBe(200);
  },
);

inEveryMode("a command that one of our own tools runs is found at once", options, async (world) => {
  door = createDoor();
  const { session, client } = await world.conversation();
  const machine = { authorization: `Bearer ${await world.machine(session.id)}` };
  const turn = await callTool(client, session.id, "t_shell", { command: COLOUR });
  await door.reached;
  const { toolCallId } = await askIn(world, { machine }).reply;
  const begun = await client.event("tool_call");
  expect(toolCallId).toBe(begun.payload.toolCallId);
  door.open();
  await turn.end();
  checkLog(await world.log(session.id));
});

inEveryMode(
  "what is asked in a call may be about something else than what that runs",
  options,
  async (world) => {
    const shell = await openShell(world);
    await shell.begin("toolu_1", { command: "./release.sh" });
    const body = {
      ...QUESTION,
      toolName: "release",
      toolInput: { version: "1.2.0", notes: ["x".repeat(40_000), "y".repeat(40_000)] },
      toolCallId: "toolu_1",
    };
    const { id } = await askIn(world, shell, body).reply;
    const { body: record } = await world.http("GET", `/api/interactions/${id}`);
    expect(record).toMatchObject({ toolCallId: "toolu_1", toolName: "release" });
    expect(record.request.toolInput).toEqual(body.toolInput);
    const path = `/api/interactions/${id}/respond`;
    await world.http("POST", path, { action: "deny", stop: true });
    expect((await shell.client.event("turn_end")).payload.status).toBe("cancelled");
  },
);

inEveryMode(
  "what is asked in a shell's call stands in its block, while it waits, after a reload and at its end",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client, session } = shell;
    await shell.begin("toolu_0", { command: "ls" });
    const call = await shell.begin("toolu_1", { command: "./release.sh" });
    const body = { ...QUESTION, toolCallId: "toolu_1" };
    await askIn(world, shell, body).reply;
    const questions = [
      { header: "Colour", question: "Which?", options: [{ label: "Red" }, { label: "Blue" }] },
    ];
    const form = { type: "input", questions, presentation: "questionnaire" };
    const asked = await askIn(world, shell, { ...form, toolCallId: "toolu_1" }).reply;
    const open = await sharedView(world, client, session.id);
    expect(outline(open)).toEqual([["message", "Bash", "Bash open", "questionnaire open"]]);
    const answer = { action: "submit", input: { answers: { 0: "Red" } } };
    await world.http("POST", `/api/interactions/${asked.id}/respond`, answer);
    await call.end({ ok: true, result: "" });
    await client.event("tool_result");
    const over = await sharedView(world, client, session.id);
    expect(outline(over)).toEqual([["message", "Bash", "Bash closed", "questionnaire answered"]]);
    const [closed] = [...over.interactions.values()];
    expect(closed).toMatchObject({ state: "closed", reason: "failed" });
  },
);

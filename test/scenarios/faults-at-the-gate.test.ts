import { expect, test } from "vitest";
import { defineTool, type ToolDefinition } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { hasEvent, params, person, Rig } from "./rig.ts";

interface Args {
  what?: unknown;
  where?: string;
  text?: string;
}

/** A tool behind the gate, and what it was let run with. */
function gated(more: Partial<ToolDefinition> = {}) {
  const ran: unknown[] = [];
  const tool = defineTool<Args>({
    name: "t_gated",
    description: "Runs only when the gate lets it.",
    parameters: params,
    durable: "replay",
    handler: (args, ctx) => ctx.step("run", () => void ran.push(args)),
    ...(more as object),
    approval: {
      scopes: ["once", "session", "always"],
      editable: true,
      timeoutMs: null,
      ...more.approval,
    },
  });
  return { ran, tool };
}

/** Calls it outside a turn; the caller waits as long as it lives. */
function call(rig: Rig, sessionId: string, input: unknown, toolCallId: string) {
  const end = rig.core.callTool(person, {
    sessionId,
    toolName: "t_gated",
    input,
    origin: "http",
    toolCallId,
  });
  end.catch(() => {});
  return end;
}

async function prompts(rig: Rig, sessionId: string) {
  return (await rig.log(sessionId)).filter((event) => event.type === "interaction_request");
}

async function resultOf(rig: Rig, sessionId: string, toolCallId: string) {
  for (let tries = 0; tries < 60; tries++) {
    const row = await rig.raw.call(sessionId, toolCallId);
    if (row?.status === "ended") return row;
    await new Promise((resolve) => setImmediate(resolve));
    await rig.clock.advance(0);
  }
  return rig.raw.call(sessionId, toolCallId);
}

/**
 * Identical calls of two sessions wait behind the gate; then the server dies, and what is answered
 * re-enters. What is allowed for always in the one does not reach the other: the store is too slow.
 */
async function twoAsked(rig: Rig) {
  const sessionId = await rig.session();
  const otherId = await rig.session();
  void call(rig, sessionId, { what: "a" }, "one");
  const one = await rig.event(sessionId, "interaction_request");
  void call(rig, otherId, { what: "a" }, "two");
  const two = await rig.event(otherId, "interaction_request");
  await rig.crash();
  rig.onCommitted = ({ writes }) => {
    if (!writes.some(({ table }) => table === "grants")) return;
    rig.onRead = (name) => (name === "openInteractions" ? new Promise(() => {}) : undefined);
  };
  return { sessionId, otherId, one: one.payload.interactionId, two: two.payload.interactionId };
}

test("a call that a person denied does not run by a grant that another call has left", async () => {
  const { ran, tool } = gated();
  await using rig = await Rig.start({ tools: [tool] });
  const { sessionId, otherId, one, two } = await twoAsked(rig);
  await rig.answer(two, { action: "approve", approvalScope: "always" });
  await resultOf(rig, otherId, "two");
  await rig.answer(one, { action: "deny", reason: "Once is enough." });
  const denied = await resultOf(rig, sessionId, "one");
  expect({ error: denied?.error?.code, ran: ran.length }).toEqual({ error: "tool_denied", ran: 1 });
});

test("a call whose arguments a person edited runs with those, whatever grants there are", async () => {
  const { ran, tool } = gated();
  await using rig = await Rig.start({ tools: [tool] });
  const { sessionId, otherId, one, two } = await twoAsked(rig);
  await rig.answer(two, { action: "approve", approvalScope: "always" });
  await resultOf(rig, otherId, "two");
  await rig.answer(one, { action: "approve", updatedInput: { what: "harmless" } });
  await resultOf(rig, sessionId, "one");
  expect(ran).toEqual([{ what: "a" }, { what: "harmless" }]);
});

test("arguments edited to null never run as what they were before", async () => {
  const { ran, tool } = gated({ parameters: {} });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  void call(rig, sessionId, { what: "rm -rf" }, "one");
  const { payload } = await rig.event(sessionId, "interaction_request");
  await rig
    .answer(payload.interactionId, { action: "approve", updatedInput: null })
    .catch(() => undefined);
  await resultOf(rig, sessionId, "one");
  expect(ran).not.toContainEqual({ what: "rm -rf" });
});

test("what runs is what was shown, also if the tool keeps what it completed in its hands", async () => {
  const settings = { what: "deploy", where: "staging" };
  const { ran, tool } = gated({ approval: { complete: () => settings as never } });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  void call(rig, sessionId, {}, "one");
  const { payload } = await rig.event(sessionId, "interaction_request");
  settings.where = "production";
  await rig.answer(payload.interactionId);
  await resultOf(rig, sessionId, "one");
  expect(payload.toolInput).toEqual({ what: "deploy", where: "staging" });
  expect(ran).toEqual([payload.toolInput]);
});

test("what runs is what was shown, also if it was completed with what JSON cannot say", async () => {
  const { ran, tool } = gated({
    approval: { complete: (args: Args) => ({ ...args, limit: Infinity }) as never },
  });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  void call(rig, sessionId, { what: "delete" }, "one");
  const { payload } = await rig.event(sessionId, "interaction_request");
  await rig.answer(payload.interactionId);
  await resultOf(rig, sessionId, "one");
  expect(ran).toEqual([payload.toolInput]);
});

test("an approval of a large input is not adopted by a call that was completed otherwise", async () => {
  let where = "alpha";
  const { ran, tool } = gated({
    durable: "orphan",
    approval: { complete: (args: Args) => ({ ...args, where }) as never },
  });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  const input = { text: "x".repeat(LIMITS.inlineToolInputBytes) };
  void call(rig, sessionId, input, "one");
  const { payload } = await rig.event(sessionId, "interaction_request");
  await rig.crash();
  await rig.event(sessionId, "tool_result");
  await rig.answer(payload.interactionId);
  where = "omega";
  void call(rig, sessionId, input, "two");
  await rig.until(() => ran.length > 0);
  expect(ran.map((args) => (args as Args).where)).toEqual([]);
});

test("an edit that was checked by no schema does not run when its call is made again", async () => {
  const parameters = {
    type: "object",
    properties: { what: { type: "string" } },
    additionalProperties: false,
  };
  const { ran, tool } = gated({ durable: "orphan", parameters });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  void call(rig, sessionId, { what: "a" }, "one");
  const { payload } = await rig.event(sessionId, "interaction_request");
  // The plugin is not there when the person answers.
  await rig.crash([]);
  await rig.event(sessionId, "tool_result");
  await rig
    .answer(payload.interactionId, { action: "approve", updatedInput: { what: 5, more: true } })
    .catch(() => undefined);
  await rig.crash([tool]);
  void call(rig, sessionId, { what: "a" }, "two");
  await resultOf(rig, sessionId, "two");
  expect(ran).toEqual([]);
});

test("an edit that fitted another version of the tool does not run in this one", async () => {
  const parameters = { type: "object", properties: { what: { type: "string" } } };
  const old = gated({ version: "1", parameters });
  const strict = { ...parameters, properties: { what: { type: "string", maxLength: 3 } } };
  const { ran, tool } = gated({ version: "2", parameters: strict });
  await using rig = await Rig.start({ tools: [old.tool] });
  const sessionId = await rig.session();
  void call(rig, sessionId, { what: "a" }, "one");
  const { payload } = await rig.event(sessionId, "interaction_request");
  // The answer is stored, and the server dies before the gate hears it.
  let answered = false;
  rig.onCommit = (commit) => {
    if (answered) return new Promise(() => {});
    answered = hasEvent(commit, "interaction_response");
  };
  const updatedInput = { what: "too long for the new one" };
  await rig.answer(payload.interactionId, { action: "approve", updatedInput });
  rig.onCommit = () => {};
  await rig.crash([tool]);
  await resultOf(rig, sessionId, "one");
  void call(rig, sessionId, { what: "a" }, "two");
  await resultOf(rig, sessionId, "two");
  expect(ran).toEqual([]);
});

test("an approval that comes while its call is made again is given to that call", async () => {
  const { ran, tool } = gated({ durable: "orphan" });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  void call(rig, sessionId, { what: "a" }, "one");
  const first = await rig.event(sessionId, "interaction_request");
  await rig.crash();
  await rig.event(sessionId, "tool_result");
  let held = 0;
  rig.onCommit = async (commit) => {
    // The person answers the old prompt at the moment in which the new call replaces it.
    if (hasEvent(commit, "interaction_request") && held++ === 0) {
      await rig.answer(first.payload.interactionId);
    }
  };
  void call(rig, sessionId, { what: "a" }, "two");
  await rig.until(() => ran.length > 0);
  const [, second] = await prompts(rig, sessionId);
  const asked = second ? 2 : 1;
  if (second?.type === "interaction_request") {
    // Asked once more, the person has thought better of it; and the agent tries again.
    await rig.answer(second.payload.interactionId, { action: "deny" });
    await resultOf(rig, sessionId, "two");
    void call(rig, sessionId, { what: "a" }, "three");
    await resultOf(rig, sessionId, "three");
  }
  expect({ asked, ranAfterDenial: asked === 2 ? ran.length : 0 }).toEqual({
    asked: 1,
    ranAfterDenial: 0,
  });
});

test("a tool behind the gate may name a prompt of its own as it likes", async () => {
  const { tool } = gated({
    handler: (_args: never, ctx) =>
      ctx.requestInteraction({
        type: "input",
        key: "gate",
        prompt: "Which gate?",
        timeoutMs: null,
        inputSchema: { type: "form", fields: [{ id: "gate", type: "text", label: "Gate" }] },
        onResponse: ({ input }) => ({ complete: input }),
      }),
  });
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  void call(rig, sessionId, {}, "one");
  await rig.answer((await rig.event(sessionId, "interaction_request")).payload.interactionId);
  const own = await rig.event(sessionId, "interaction_request", 2);
  await rig.crash();
  await rig.answer(own.payload.interactionId, { action: "submit", input: { gate: "B7" } });
  const row = await resultOf(rig, sessionId, "one");
  expect(row).toMatchObject({ ok: true, result: { value: { gate: "B7" } } });
});

test("many calls at once may use one remembered approval", async () => {
  const { ran, tool } = gated();
  await using rig = await Rig.start({ tools: [tool] });
  const sessionId = await rig.session();
  const first = call(rig, sessionId, { what: "a" }, "first");
  const { payload } = await rig.event(sessionId, "interaction_request");
  await rig.answer(payload.interactionId, { action: "approve", approvalScope: "always" });
  await first;
  const sessions = await Promise.all(Array.from({ length: 150 }, () => rig.session()));
  const ends = await Promise.all(sessions.map((id) => call(rig, id, { what: "a" }, "again")));
  const failed = ends.flatMap((end) => (end.ok ? [] : [end.error.message]));
  expect(failed).toEqual([]);
  expect(ran).toHaveLength(151);
});

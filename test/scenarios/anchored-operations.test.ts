import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { mortalShell, openShell, type Shell, shellAgent } from "./shell.ts";
import { approvalTool, askingTool, formOf, NAME_FORM, nameTool } from "./tools.ts";
import { callTool, createDoor, operate } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";
import { sharedView } from "./views.ts";
import type { World } from "./world.ts";

const OBJECT = { type: "object" };
const BASH = { command: "beckon call outside ask" };
let done: string[] = [];
let door = createDoor();

const ask = askingTool("outside_ask", ({ question }: { question?: string }) => ({
  type: "approval",
  ...(question === undefined ? {} : { prompt: question }),
  timeoutMs: null,
  onResponse: ({ action }) => ({ complete: action }),
}));

/** Asks within steps of the same names as those of the call in whose place it works. */
const stepping = (name: string) =>
  defineTool({
    name,
    description: "Does something before and after it asks.",
    parameters: OBJECT,
    durable: "replay",
    async handler(_args, ctx) {
      const first = await ctx.step("work", () => {
        done.push(`${name} before`);
        return `${name} step`;
      });
      const answer = await ctx.requestInteraction({
        type: "input",
        timeoutMs: null,
        inputSchema: formOf({ id: "value", type: "text", label: "Value" }),
        onResponse: ({ input }) => ({ complete: input?.["value"] }),
      });
      await ctx.step("after", () => void done.push(`${name} after`));
      return { first, answer };
    },
  });

const patient = askingTool("outside_patient", () => ({
  type: "input",
  inputSchema: NAME_FORM,
  timeoutMs: 5_000,
  onResponse: ({ input }) => ({ complete: input }),
  onTimeout: () => ({ pending: { message: "Later, then." } }),
}));

const slow = defineTool({
  name: "outside_slow",
  description: "Works until it is told to stop.",
  parameters: OBJECT,
  async handler(_args, { signal }) {
    door.arrive();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    done.push("stopped");
  },
});

const gated = defineTool<{ what: string }>({
  name: "outside_gated",
  description: "Runs only after approval.",
  parameters: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
  durable: "replay",
  approval: { key: () => "any", editable: true, timeoutMs: null },
  handler: ({ what }) => ({ ran: what }),
});

const tools = [
  patient,
  ask,
  { ...nameTool, name: "outside_name" },
  approvalTool,
  stepping("outside_steps"),
  stepping("t_steps"),
  slow,
  gated,
];
const options = { tools, agents: [shellAgent, mortalShell] };

const own = (id: string) => ({ "x-tool-call-id": id });
const runBy = (id: string) => ({ "x-caller-tool-call-id": id });
const activeRuns = async (world: World, sessionId: string) =>
  (await world.store.activeRuns(sessionId)).map(({ kind }) => kind);

/** Calls an operation as a program in the shell does. */
const operateIn = (
  world: World,
  { session, machine }: Shell,
  operation: `${string}_${string}`,
  headers: Record<string, string>,
  input = {},
) => operate(world, session.id, operation, input, { ...machine, ...headers });

/** What the log says of calls: their beginnings and ends. */
async function calls(world: World, sessionId: string): Promise<string[]> {
  const log = await world.log(sessionId);
  checkLog(log);
  return log.flatMap(({ type, payload }) =>
    type === "tool_call" || type === "tool_result" ? [`${type} ${payload.toolCallId}`] : [],
  );
}

inEveryMode(
  "an operation with the id of a running call works in its place",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client, session } = shell;
    const call = await shell.begin("toolu_1", BASH);
    const reply = operateIn(world, shell, "outside_ask", own("toolu_1"));
    const request = await client.event("interaction_request");
    const begun = await client.event("tool_call");
    expect(request.payload).toMatchObject({
      toolCallId: "toolu_1",
      toolName: "outside_ask",
      anchored: true,
    });
    expect(request.turnId).toBe(begun.turnId);
    expect(request.responseId).toBe(begun.responseId);
    expect(request.responseId).toBeDefined();
    await client.answer(request, { action: "approve" });
    expect((await reply).body).toEqual({ ok: true, result: "approve" });
    await call.end({ ok: true, result: "" });
    shell.leave();
    await client.event("turn_end");
    expect(await calls(world, session.id)).toEqual(["tool_call toolu_1", "tool_result toolu_1"]);
    await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
  },
);

inEveryMode(
  "an operation works in the place of a call of our own tools too",
  options,
  async (world) => {
    done = [];
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_steps");
    const first = await turn.request();
    const { toolCallId } = first.payload;
    const reply = operate(world, session.id, "outside_steps", {}, own(toolCallId));
    const second = await client.event("interaction_request", 2);
    expect(second).toMatchObject({
      turnId: turn.turnId,
      responseId: first.responseId,
      payload: { toolCallId, toolName: "outside_steps" },
    });
    await client.answer(second, { action: "submit", input: { value: "two" } });
    expect((await reply).body.result).toEqual({ first: "outside_steps step", answer: "two" });
    await client.answer(first, { action: "submit", input: { value: "one" } });
    expect((await turn.result()).payload.result).toEqual({ first: "t_steps step", answer: "one" });
    await turn.end();
    expect(done.sort()).toEqual([
      "outside_steps after",
      "outside_steps before",
      "t_steps after",
      "t_steps before",
    ]);
    expect(await calls(world, session.id)).toHaveLength(2);
  },
);

inEveryMode(
  "an operation that says which call runs it keeps an id of its own to come back with",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client } = shell;
    await shell.begin("toolu_1", BASH);
    const headers = { ...own("mine"), ...runBy("toolu_1") };
    const replies = [1, 2].map(() => operateIn(world, shell, "outside_ask", headers));
    const request = await client.event("interaction_request");
    expect(request.payload.toolCallId).toBe("toolu_1");
    await client.answer(request, { action: "approve" });
    const again = await operateIn(world, shell, "outside_ask", headers);
    for (const { body } of [...(await Promise.all(replies)), again]) {
      expect(body).toEqual({ ok: true, result: "approve" });
    }
    const log = await world.log(shell.session.id);
    expect(log.filter(({ type }) => type === "interaction_request")).toHaveLength(1);
    expect(await calls(world, shell.session.id)).toEqual(["tool_call toolu_1"]);
  },
);

inEveryMode(
  "a call that ends takes an operation in its place with it, asking or not",
  options,
  async (world) => {
    done = [];
    door = createDoor();
    const shell = await openShell(world);
    const { client, session } = shell;
    const call = await shell.begin("toolu_1", BASH);
    const asking = operateIn(world, shell, "outside_ask", own("toolu_1"));
    const working = operateIn(world, shell, "outside_slow", own("toolu_1"));
    await Promise.all([client.event("interaction_request"), door.reached]);
    await call.end({ ok: true, result: "" });
    const closed = await client.event("interaction_closed");
    expect(closed.payload).toMatchObject({ toolCallId: "toolu_1", reason: "failed" });
    for (const { body } of await Promise.all([asking, working])) {
      expect(body).toMatchObject({ ok: false, code: "tool_interrupted" });
      expect(body.error).toContain("has ended");
    }
    await expect.poll(() => done).toEqual(["stopped"]);
    shell.leave();
    await client.event("turn_end");
    expect(await calls(world, session.id)).toHaveLength(2);
    await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
  },
);

inEveryMode("cancelling a turn cancels what works in its calls", options, async (world) => {
  const shell = await openShell(world);
  const { client, session } = shell;
  await shell.begin("toolu_1", BASH);
  const reply = operateIn(world, shell, "outside_ask", own("toolu_1"));
  await client.event("interaction_request");
  await client.ask({ type: "cancel", sessionId: session.id });
  expect((await client.event("interaction_closed")).payload.reason).toBe("cancelled");
  expect((await reply).body).toMatchObject({ ok: false, code: "tool_cancelled" });
  await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
  expect(await calls(world, session.id)).toHaveLength(2);
});

inEveryMode(
  "who hangs up on an operation in a call has a minute to come back, and then only it is withdrawn",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client, session, machine } = shell;
    await shell.begin("toolu_1", BASH);
    const { url } = world.node;
    const call = (signal?: AbortSignal) =>
      fetch(`${url}/api/plugins/outside/operations/ask`, {
        method: "POST",
        headers: { ...machine, ...own("toolu_1"), "content-type": "application/json" },
        body: "{}",
        ...(signal ? { signal } : {}),
      });
    const hangUp = async (nth: number) => {
      const patience = new AbortController();
      const gone = call(patience.signal).catch(() => {});
      await client.event("interaction_request", nth);
      patience.abort();
      await gone;
      await world.http("GET", "/api/sessions");
      await world.clock.settle();
    };
    await hangUp(1);
    await world.advance(40_000);
    const patience = new AbortController();
    const back = call(patience.signal).catch(() => {});
    await world.http("GET", "/api/sessions");
    await world.clock.settle();
    await world.advance(40_000);
    expect(client.events().filter(({ type }) => type === "interaction_request")).toHaveLength(1);
    expect(client.events().some(({ type }) => type === "interaction_closed")).toBe(false);
    patience.abort();
    await back;
    await world.http("GET", "/api/sessions");
    await world.clock.settle();
    await world.advance(61_000);
    expect((await client.event("interaction_closed")).payload.reason).toBe("cancelled");
    expect(await calls(world, session.id)).toEqual(["tool_call toolu_1"]);
    expect(await activeRuns(world, session.id)).toEqual(["turn"]);
  },
);

inEveryMode(
  "an operation waits on over a crash in a call that lives on, and is there for who comes back",
  options,
  async (world) => {
    done = [];
    const shell = await openShell(world);
    const { client, session, machine } = shell;
    await shell.begin("toolu_1", BASH);
    const headers = { ...machine, ...own("mine"), ...runBy("toolu_1") };
    const lost = operate(world, session.id, "outside_steps", {}, headers).catch(() => {});
    const request = await client.event("interaction_request");
    await world.crash();
    await lost;
    const after = await world.person();
    await after.subscribe(session.id);
    const call = await shell.begin("toolu_1", BASH);
    const reply = operate(world, session.id, "outside_steps", {}, headers);
    await after.answer(request, { action: "submit", input: { value: "yes" } });
    const result = { first: "outside_steps step", answer: "yes" };
    expect((await reply).body).toEqual({ ok: true, result });
    expect(done).toEqual(["outside_steps before", "outside_steps after"]);
    await call.end({ ok: true, result: "" });
    shell.leave();
    await after.event("turn_end");
    expect(await calls(world, session.id)).toHaveLength(2);
    await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
  },
);

inEveryMode("an operation ends with a call that dies with its server", options, async (world) => {
  const shell = await openShell(world, "mortal-shell");
  const { client, session, machine } = shell;
  await shell.begin("toolu_1", BASH);
  const headers = { ...machine, ...own("mine"), ...runBy("toolu_1") };
  const lost = operate(world, session.id, "outside_ask", {}, headers).catch(() => {});
  await client.event("interaction_request");
  await world.crash();
  await lost;
  const after = await world.person();
  await after.subscribe(session.id);
  await after.event("turn_end");
  expect((await after.event("interaction_closed")).payload.reason).toBe("failed");
  const again = await operate(world, session.id, "outside_ask", {}, headers);
  expect(again.body).toMatchObject({ ok: false, code: "tool_interrupted" });
  await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
  expect(await calls(world, session.id)).toHaveLength(2);
});

inEveryMode(
  "an operation that needs approval asks for it in the call, shows its own arguments, and is remembered",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client } = shell;
    await shell.begin("toolu_1", BASH);
    const big = { what: "big", more: ["x".repeat(40_000), "y".repeat(40_000)] };
    const first = operateIn(world, shell, "outside_gated", own("toolu_1"), { what: "one" });
    const request = await client.event("interaction_request");
    expect(request.payload).toMatchObject({
      toolCallId: "toolu_1",
      toolName: "outside_gated",
      toolInput: { what: "one" },
    });
    await client.answer(request, {
      action: "approve",
      updatedInput: { what: "edited" },
    });
    expect((await first).body.result).toEqual({ ran: "edited" });
    const second = operateIn(world, shell, "outside_gated", own("toolu_1"), big);
    const large = await client.event("interaction_request", 2);
    const { body } = await world.http("GET", `/api/interactions/${large.payload.interactionId}`);
    expect(body.request.toolInput).toEqual(big);
    await client.answer(large, { action: "approve", approvalScope: "session" });
    expect((await second).body.ok).toBe(true);
    const third = await operateIn(world, shell, "outside_gated", own("toolu_1"), { what: "three" });
    expect(third.body.result).toEqual({ ran: "three" });
  },
);

inEveryMode(
  "several operations and questions are open in one call at once, and each gets its own answer",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client, session } = shell;
    const call = await shell.begin("toolu_1", BASH);
    const same = [1, 2].map(() => operateIn(world, shell, "outside_ask", own("toolu_1")));
    const asked = await world.http(
      "POST",
      "/api/interactions",
      { type: "approval", prompt: "And this?", toolCallId: "toolu_1" },
      shell.machine,
    );
    expect(asked.status).toBe(201);
    await client.event("interaction_request", 3);
    const requests = client
      .events()
      .flatMap((event) => (event.type === "interaction_request" ? [event] : []));
    expect(new Set(requests.map(({ payload }) => payload.toolCallId))).toEqual(
      new Set(["toolu_1"]),
    );
    const operations = requests.filter(({ payload }) => payload.toolName === "outside_ask");
    await client.answer(operations[1]!, { action: "deny" });
    await client.answer(operations[0]!, { action: "approve" });
    const results = (await Promise.all(same)).map(({ body }) => body.result as string);
    expect(results.sort()).toEqual(["approve", "deny"]);
    await call.end({ ok: true, result: "" });
    const { body } = await world.http("GET", `/api/interactions/${asked.body.id}`);
    expect(body).toMatchObject({ status: "failed", toolCallId: "toolu_1" });
    expect(await calls(world, session.id)).toHaveLength(2);
  },
);

inEveryMode(
  "an operation that asks again in a call leaves the prompts of others as they are",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client } = shell;
    await shell.begin("toolu_1", BASH);
    const name = (value: string) => ({ action: "submit", input: { name: value } });
    const both = [1, 2].map(() => operateIn(world, shell, "outside_name", own("toolu_1")));
    const one = await client.event("interaction_request", 1);
    const two = await client.event("interaction_request", 2);
    await client.answer(two, name("Grace"));
    await client.answer(one, name("A"));
    const again = await client.event("interaction_request", 3);
    expect(again.payload).toMatchObject({ attempt: 2, toolCallId: "toolu_1", anchored: true });
    expect(await client.answer(two, name("Other"))).toMatchObject({ code: "already_answered" });
    expect(await client.answer(one, name("Other"))).toMatchObject({ code: "stale_interaction" });
    await client.answer(again, name("Ada"));
    const results = (await Promise.all(both)).map(({ body }) => body.result as string);
    expect(results.sort()).toEqual(["Ada", "Grace"]);
  },
);

inEveryMode(
  "an operation that leaves its question open ends, and the answer comes as a message after its call",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client, session } = shell;
    const call = await shell.begin("toolu_1", BASH);
    const reply = operateIn(world, shell, "outside_patient", own("toolu_1"));
    const request = await client.event("interaction_request");
    await world.advance(5_000);
    expect((await reply).body.result).toMatchObject({ pending: true, queued: true });
    await call.end({ ok: false, error: { code: "tool_error", message: "Exit code 1" } });
    await client.event("tool_result");
    const view = await sharedView(world, client, session.id);
    const { interactionId } = request.payload;
    expect(view.interactions.get(interactionId)).toMatchObject({ state: "open", late: "queued" });
    const { body } = await world.http("GET", `/api/interactions/${interactionId}`);
    expect(body).toMatchObject({ status: "pending", waiting: "queued" });
    await client.answer(request, { action: "submit", input: { name: "Ada" } });
    const late = await client.event("user_message", 2);
    expect(late.payload).toMatchObject({ source: "late_answer", interactionId });
    shell.leave();
    await client.event("turn_end", 2);
    checkLog(await world.log(session.id));
  },
);

inEveryMode(
  "who denies an operation in a call and says stop ends its turn",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client, session } = shell;
    await shell.begin("toolu_1", BASH);
    const reply = operateIn(world, shell, "outside_gated", own("toolu_1"), { what: "x" });
    const request = await client.event("interaction_request");
    await client.answer(request, { action: "deny", stop: true });
    expect((await client.event("turn_end")).payload.status).toBe("cancelled");
    expect((await reply).body.ok).toBe(false);
    await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
    expect(await calls(world, session.id)).toHaveLength(2);
  },
);

inEveryMode("a session is deleted with what works in its calls", options, async (world) => {
  const shell = await openShell(world);
  const { client, session } = shell;
  await shell.begin("toolu_1", BASH);
  const reply = operateIn(world, shell, "outside_ask", own("toolu_1"));
  await client.event("interaction_request");
  const question = { type: "approval", prompt: "And this?", toolCallId: "toolu_1" };
  await world.http("POST", "/api/interactions", question, shell.machine);
  expect((await world.http("DELETE", `/api/sessions/${session.id}`)).status).toBeLessThan(300);
  expect((await reply).body).toMatchObject({ ok: false, code: "tool_cancelled" });
  await expect.poll(() => activeRuns(world, session.id)).toEqual([]);
});

inEveryMode(
  "a call that has ended or never was is no place, and who only hinted at it stands alone",
  options,
  async (world) => {
    const shell = await openShell(world);
    const { client, session } = shell;
    const call = await shell.begin("toolu_1", { command: "ls" });
    await call.end({ ok: true, result: "" });
    const strict = await operateIn(world, shell, "outside_ask", own("toolu_1"));
    expect(strict).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    shell.leave();
    await client.event("turn_end");
    for (const hint of ["toolu_1", "nobody", "%%"]) {
      const nth = client.events().filter(({ type }) => type === "interaction_request").length + 1;
      const reply = operateIn(world, shell, "outside_ask", runBy(hint));
      const request = await client.event("interaction_request", nth);
      expect(request.turnId).toBeUndefined();
      expect(request.payload.anchored).toBeUndefined();
      await client.answer(request, { action: "approve" });
      expect((await reply).body).toEqual({ ok: true, result: "approve" });
    }
    expect(await calls(world, session.id)).toHaveLength(8);
  },
);

inEveryMode(
  "a machine of another session cannot work in a call, and none can answer there",
  options,
  async (world) => {
    const shell = await openShell(world);
    await shell.begin("toolu_1", BASH);
    const stranger = { authorization: `Bearer ${await world.machine()}` };
    const refused = await operateIn(world, shell, "outside_ask", {
      ...stranger,
      ...own("toolu_1"),
    });
    expect(refused).toMatchObject({ status: 404, body: { code: "session_not_found" } });
    const reply = operateIn(world, shell, "outside_ask", own("toolu_1"));
    const request = await shell.client.event("interaction_request");
    const path = `/api/interactions/${request.payload.interactionId}/respond`;
    const answer = await world.http("POST", path, { action: "approve" }, shell.machine);
    expect(answer).toMatchObject({ status: 403, body: { code: "person_required" } });
    await shell.client.answer(request, { action: "approve" });
    await reply;
  },
);

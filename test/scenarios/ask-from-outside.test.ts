import { expect } from "vitest";
import { checkLog } from "./always-true.ts";
import { approvalTool } from "./tools.ts";
import { callTool } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

const QUESTION = { type: "approval", prompt: "Deploy it?" };
const post = (world: World, path: string, body: object = {}, token?: string) =>
  world.http(
    "POST",
    `/api/interactions${path}`,
    body,
    token ? { authorization: `Bearer ${token}` } : {},
  );
const look = async (world: World, id: string) =>
  (await world.http("GET", `/api/interactions/${id}?wait=20`)).body;

/** Waits for the result of a call, as somebody who only looks. */
async function ended(world: World, sessionId: string, toolCallId: string): Promise<void> {
  const client = await world.person({ interaction: { supported: true, enabled: false } });
  await client.subscribe(sessionId);
  await client.event("tool_result", (payload) => payload.toolCallId === toolCallId);
}

inEveryMode("a program asks, and finds the answer in the record", {}, async (world) => {
  const session = await world.session();
  const asked = await post(world, "", { ...QUESTION, sessionId: session.id });
  expect(asked).toMatchObject({
    status: 201,
    body: { status: "pending", waiting: "live", toolName: "ask", sessionId: session.id },
  });
  expect(asked.body.expiresAt).toBeUndefined();
  const { id, toolCallId } = asked.body;
  expect((await post(world, `/${id}/respond`, { action: "approve" })).status).toBe(200);
  await ended(world, session.id, toolCallId);
  expect(await look(world, id)).toMatchObject({
    status: "answered",
    response: { action: "approve" },
    result: { action: "approve", approvalScope: "once" },
  });
  const log = await world.log(session.id);
  expect(log.map(({ type }) => type)).toEqual([
    "tool_call",
    "interaction_pending",
    "interaction_request",
    "interaction_response",
    "interaction_pending",
    "tool_result",
  ]);
  expect(log.at(-1)?.payload).toMatchObject({ toolCallId, ok: true });
  expect(log.some(({ turnId }) => turnId !== undefined)).toBe(false);
  checkLog(log);
});

inEveryMode(
  "what was asked outlives a restart, and so does the answer to it",
  {},
  async (world) => {
    const session = await world.session();
    const { body } = await post(world, "", { ...QUESTION, sessionId: session.id });
    await world.crash();
    // Nobody waits for it, and that is no reason to withdraw it.
    await world.advance(120_000);
    expect(
      (await post(world, `/${body.id}/respond`, { action: "deny", reason: "No." })).status,
    ).toBe(200);
    await ended(world, session.id, body.toolCallId);
    await world.crash();
    expect(await look(world, body.id)).toMatchObject({
      status: "answered",
      result: { action: "deny", reason: "No." },
    });
  },
);

inEveryMode(
  "the same request id asks once, and another question needs another",
  {},
  async (world) => {
    const session = await world.session();
    const body = { ...QUESTION, sessionId: session.id, requestId: "deploy-1" };
    const all = await Promise.all(Array.from({ length: 5 }, () => post(world, "", body)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(new Set(all.map((one) => one.body.id)).size).toBe(1);
    const changed = await post(world, "", { ...body, prompt: "Delete it?" });
    expect(changed).toMatchObject({ status: 409, body: { code: "request_changed" } });
    const machine = await world.machine();
    const other = await post(world, "", { ...QUESTION, requestId: "deploy-1" }, machine);
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(all[0]?.body.id);
  },
);

inEveryMode(
  "with the id of a running call it is shown there, and ends nothing but itself",
  {
    tools: [approvalTool],
  },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    const { toolCallId } = request.payload;
    const asked = await post(world, "", { ...QUESTION, sessionId: session.id, toolCallId });
    expect(asked).toMatchObject({ status: 201, body: { toolCallId, toolName: "t_ask" } });
    await post(world, `/${asked.body.id}/respond`, { action: "approve" });
    expect(await look(world, asked.body.id)).toMatchObject({ status: "answered" });
    await client.answer(request, { action: "approve" });
    await turn.end();
    const log = await world.log(session.id);
    expect(log.filter(({ type }) => type === "tool_call")).toHaveLength(1);
    expect(log.filter(({ type }) => type === "tool_result")).toHaveLength(1);
    checkLog(log);
  },
);

inEveryMode(
  "a call that ends takes with it what was asked in its place",
  {
    tools: [approvalTool],
  },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    const { toolCallId } = request.payload;
    const { body } = await post(world, "", { ...QUESTION, sessionId: session.id, toolCallId });
    await client.answer(request, { action: "approve" });
    await turn.end();
    expect(await look(world, body.id)).toMatchObject({ status: "failed" });
  },
);

inEveryMode("nobody answers in time, and that is what the record says", {}, async (world) => {
  const session = await world.session();
  const asked = await post(world, "", { ...QUESTION, sessionId: session.id, timeoutMs: 60_000 });
  await world.advance(61_000);
  await ended(world, session.id, asked.body.toolCallId);
  expect(await look(world, asked.body.id)).toMatchObject({ status: "timed_out" });
  const log = await world.log(session.id);
  expect(log.at(-1)?.payload).toMatchObject({ ok: false, error: { code: "interaction_timeout" } });
});

inEveryMode(
  "who asked withdraws it, and so does a person, but no other machine",
  {},
  async (world) => {
    const [one, two] = [await world.machine(), await world.machine()];
    const { body } = await post(world, "", QUESTION, one);
    expect(await post(world, `/${body.id}/cancel`, {}, two)).toMatchObject({ status: 404 });
    expect(await post(world, `/${body.id}/cancel`, {}, one)).toMatchObject({
      status: 200,
      body: { status: "cancelled" },
    });
    expect((await post(world, `/${body.id}/cancel`, {}, one)).status).toBe(200);
    const again = await post(world, "", QUESTION, one);
    expect((await post(world, `/${again.body.id}/cancel`)).status).toBe(200);
    const third = await post(world, "", QUESTION, one);
    await post(world, `/${third.body.id}/respond`, { action: "approve" });
    expect(await post(world, `/${third.body.id}/cancel`, {}, one)).toMatchObject({
      status: 409,
      body: { code: "already_answered" },
    });
  },
);

inEveryMode(
  "without a session it asks in one of its own, and finds it again",
  {},
  async (world) => {
    const machine = await world.machine();
    const [first, second] = [
      await post(world, "", QUESTION, machine),
      await post(world, "", QUESTION, machine),
    ];
    expect(first.body.sessionId).toBe(second.body.sessionId);
    const { body } = await world.http("GET", `/api/sessions/${first.body.sessionId}`);
    expect(body).toMatchObject({ agent: "outside", pendingCount: 2, status: "waiting" });
    await world.http("DELETE", `/api/sessions/${first.body.sessionId}`);
    const third = await post(world, "", QUESTION, machine);
    expect(third.status).toBe(201);
    expect(third.body.sessionId).not.toBe(first.body.sessionId);
  },
);

inEveryMode("what could not be shown, answered or kept is refused", {}, async (world) => {
  const session = await world.session();
  const sessionId = session.id;
  const form = (type: string) => ({
    type: "form",
    fields: [{ id: "x", type, label: "X" }],
  });
  const refused = [
    { sessionId },
    { sessionId, type: "approval", timeoutMs: 5 },
    { sessionId, type: "input", inputSchema: form("secret") },
    { sessionId, type: "input", inputSchema: form("nonsense") },
    { sessionId, type: "approval", questions: [] },
  ];
  for (const body of refused) expect((await post(world, "", body)).status).toBe(400);
  expect((await post(world, "", { ...QUESTION, sessionId: "none" })).status).toBe(404);
  expect(await world.log(sessionId)).toEqual([]);
  const nobody = { ...QUESTION, sessionId, whenUnavailable: "throw" };
  expect(await post(world, "", nobody)).toMatchObject({
    status: 409,
    body: { code: "interaction_unavailable" },
  });
  for (let count = 0; count < 20; count++) await post(world, "", { ...QUESTION, sessionId });
  expect(await post(world, "", { ...QUESTION, sessionId })).toMatchObject({
    body: { code: "too_many" },
  });
});

inEveryMode(
  "nobody outside can say what stands on the card as the server's own",
  {},
  async (world) => {
    const session = await world.session({ cwd: "/home/ada" });
    const { body } = await post(world, "", {
      ...QUESTION,
      sessionId: session.id,
      toolInput: { version: 3 },
      context: { title: "Checked by the server", cwd: "/fake" },
      editable: true,
    });
    expect(body.request).toMatchObject({
      toolInput: { version: 3 },
      context: { cwd: "/home/ada", askedBy: "Owner" },
      approvalScopes: ["once"],
    });
    expect(body.request.context.title).toBeUndefined();
    expect(body.request.editable).toBeUndefined();
  },
);

inEveryMode("programs that ask for the first time at once share one session", {}, async (world) => {
  const token = await world.machine();
  const asked = await Promise.all(
    Array.from({ length: 8 }, (_none, index) =>
      post(world, "", { ...QUESTION, requestId: `q${index}` }, token),
    ),
  );
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 201));
  const { sessions } = (await world.http("GET", "/api/sessions")).body;
  expect(sessions).toHaveLength(1);
  expect(new Set(asked.map(({ body }) => body.sessionId))).toEqual(new Set([sessions[0].id]));
});

inEveryMode(
  "a program outside is offered no approval for later, which nothing would keep",
  {},
  async (world) => {
    const approvalScopes = ["once", "session", "always"];
    const { status, body } = await post(world, "", { ...QUESTION, approvalScopes });
    expect(status).toBe(201);
    expect(body.request.approvalScopes).toEqual(["once"]);
    const wide = { action: "approve", approvalScope: "always" };
    expect((await post(world, `/${body.id}/respond`, wide)).body.code).toBe("invalid_response");
    const again = { approvalScopes: ["session"] };
    expect((await post(world, "", { ...QUESTION, ...again })).body.request).toMatchObject({
      approvalScopes: ["once"],
    });
    expect((await post(world, "", { ...QUESTION, approvalScopes: [] })).status).toBe(400);

    const option = { id: "yes", label: "Yes", decision: "approve" };
    const approvalOptions = [{ ...option, scope: "always", covers: ["Everything"] }];
    const asked = (await post(world, "", { ...QUESTION, approvalOptions })).body;
    expect(asked.request.approvalOptions).toEqual([option]);
    expect(asked.request).not.toHaveProperty("approvalScopes");
    const chosen = await post(world, `/${asked.id}/respond`, {
      action: "approve",
      optionId: "yes",
    });
    expect(chosen.body.response).toMatchObject({ optionId: "yes", approvalScope: "once" });
    expect((await world.http("GET", "/api/grants")).body.grants).toEqual([]);
  },
);

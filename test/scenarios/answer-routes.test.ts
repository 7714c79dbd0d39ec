import { expect, test } from "vitest";
import { shows } from "../support/shows.ts";
import { checkLog } from "./always-true.ts";
import { approvalTool, askingTool, echo, nameTool } from "./tools.ts";
import { inEveryMode, verifies } from "./verifies.ts";
import { World } from "./world.ts";

const QUESTIONS = [
  {
    header: "Color",
    question: "Which color?",
    options: [{ label: "Red" }, { label: "Blue" }],
    multiSelect: false,
  },
];
const questionsTool = askingTool("t_questions", () => ({
  type: "input",
  questions: QUESTIONS,
  onResponse: echo,
}));
/** Asks for approval again whenever it was denied. */
const stubbornTool = askingTool("t_stubborn", () => ({
  type: "approval",
  approvalScopes: ["once", "session"],
  onResponse: ({ action, approvalScope }) =>
    action === "deny" ? { reprompt: { type: "approval" } } : { complete: approvalScope },
}));
const tools = [approvalTool, nameTool, questionsTool, stubbornTool];

async function ask(world: World, tool: string) {
  const { session, client } = await world.conversation();
  await client.say(session.id, `/call ${tool} {}`);
  const { payload } = await client.event("interaction_request");
  const post = (route: string, body: object = {}, headers?: Record<string, string>) =>
    world.http(
      "POST",
      `/api/sessions/${session.id}/${route}`,
      { toolCallId: payload.toolCallId, ...body },
      headers,
    );
  return { session, client, post, payload };
}

verifies(
  ["gateway:answer-routes", "gateway:answers-by-index"],
  "a call's open prompt is approved, denied or answered by who knows only the call",
  { tools },
  async (world) => {
    const approve = await ask(world, "t_stubborn");
    expect(await approve.post("approve", { scope: "session" })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expect((await approve.client.event("tool_result")).payload.result).toBe("session");

    const deny = await ask(world, "t_ask");
    const phone = { "x-client-id": "phone" };
    expect(await deny.post("deny", { reason: "no" }, phone)).toMatchObject({ status: 200 });
    const { payload } = await deny.client.event("interaction_response");
    expect(payload).toMatchObject({ action: "deny", reason: "no" });
    expect(payload.responder.clientId).toBe("phone");

    const questions = await ask(world, "t_questions");
    const answered = await questions.post("submit-answers", { answers: { 0: "Blue" } });
    expect(answered).toMatchObject({ status: 200, body: { ok: true } });
    const result = (await questions.client.event("tool_result")).payload.result;
    expect(result).toEqual({ action: "submit", input: { answers: { 0: "Blue" } } });
    for (const { session } of [approve, deny, questions]) checkLog(await world.log(session.id));
  },
);

inEveryMode(
  "the same answer to a call counts once, also when the call has asked again since",
  { tools },
  async (world) => {
    const { session, client, post } = await ask(world, "t_stubborn");
    expect(await post("deny", { responseId: "r1" })).toMatchObject({ status: 200 });
    await client.event("interaction_request", 2);
    expect(await post("deny", { responseId: "r1" })).toMatchObject({ status: 200 });
    expect(await post("deny", { responseId: "r1", reason: "other" })).toMatchObject({
      status: 409,
      body: { code: "stale_interaction" },
    });
    expect(await post("approve", { responseId: "r2" })).toMatchObject({ status: 200 });
    await client.event("turn_end");
    const again = await post("approve", { responseId: "r3" });
    expect(again).toMatchObject({
      status: 409,
      body: { code: "already_answered", response: { answerId: "r2", action: "approve" } },
    });
    const log = await world.log(session.id);
    checkLog(log);
    expect(log.filter(({ type }) => type === "interaction_response")).toHaveLength(2);
  },
);

shows(
  "gateway:nothing-pending",
  "what is missing, unknown, of another kind or not offered is refused, and nothing is stored",
  async () => {
    await using world = await World.start({ tools });
    const approval = await ask(world, "t_ask");
    const questions = await ask(world, "t_questions");
    const form = await ask(world, "t_name");
    const nothing = { status: 404, body: { code: "no_pending_interaction" } };
    const invalid = { status: 400, body: { code: "invalid_request" } };
    const missing = { toolCallId: undefined };
    const logs = async () =>
      Promise.all([approval, questions, form].map(({ session }) => world.log(session.id)));
    const before = await logs();

    expect(await approval.post("approve", missing)).toMatchObject(invalid);
    expect(await approval.post("deny", missing)).toMatchObject(invalid);
    expect(await questions.post("submit-answers", missing)).toMatchObject(invalid);
    expect(await questions.post("submit-answers")).toMatchObject(invalid);
    expect(await approval.post("approve", {}, { "x-client-id": "no id" })).toMatchObject(invalid);
    for (const route of ["approve", "deny", "submit-answers"]) {
      const body = { toolCallId: "nothing", answers: {} };
      expect(await approval.post(route, body)).toMatchObject(nothing);
      expect(await form.post(route, { answers: {} })).toMatchObject(nothing);
      expect(await world.http("POST", `/api/sessions/none/${route}`, body)).toMatchObject({
        status: 404,
        body: { code: "session_not_found" },
      });
    }
    expect(await approval.post("submit-answers", { answers: {} })).toMatchObject(nothing);
    expect(await questions.post("approve")).toMatchObject(nothing);
    expect(await approval.post("approve", { scope: "always" })).toMatchObject({
      status: 422,
      body: { code: "invalid_response" },
    });
    expect(await questions.post("submit-answers", { answers: {} })).toMatchObject({
      status: 422,
      body: { code: "invalid_response", fieldErrors: expect.anything() },
    });
    expect(await logs()).toEqual(before);
  },
);

test("a call whose prompt was closed gets the 409 of that", async () => {
  await using world = await World.start({ tools });
  const { session, client, post } = await ask(world, "t_ask");
  await world.http("POST", `/api/sessions/${session.id}/cancel`, {});
  await client.event("turn_end");
  expect(await post("approve")).toMatchObject({
    status: 409,
    body: { code: "interaction_closed", reason: "cancelled" },
  });
});

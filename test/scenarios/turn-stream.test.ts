import { expect } from "vitest";
import { EventStream } from "./event-stream.ts";
import { approvalTool, askingTool, echo, nameTool } from "./tools.ts";
import { inEveryMode, verifies } from "./verifies.ts";

const questionsTool = askingTool("t_questions", () => ({
  type: "input",
  questions: [
    { header: "Color", question: "Which?", options: [{ label: "Red" }, { label: "Blue" }] },
  ],
  onResponse: echo,
}));
const tools = [approvalTool, nameTool, questionsTool];
const names = (stream: EventStream) => stream.messages.map(({ name }) => name);

verifies(
  "gateway:stream-ends",
  "a message sent with an event stream gives its turn as stream events, until done",
  { tools },
  async (world) => {
    const session = await world.session();
    const stream = await EventStream.send(world, session.id, { content: "hello" });
    await stream.untilEnded();
    for (const { name, data } of stream.messages) expect(data.type).toBe(name);
    const said = stream.messages.filter(({ name }) => name === "text_delta");
    expect(said.map(({ data }) => data.data.text).join("")).toContain("> hello");
    expect(stream.messages.at(-1)?.data).toEqual({
      type: "done",
      data: { sessionId: session.id, status: "completed" },
    });
  },
);

verifies(
  ["gateway:told-while-blocked", "gateway:approval-required"],
  "who follows a turn by its stream is there to be asked, and approves by the call",
  { tools },
  async (world) => {
    const session = await world.session();
    const stream = await EventStream.send(world, session.id, { content: "/call t_ask {}" });
    const asked = await stream.message("approval_required");
    expect(asked).toMatchObject({ toolName: "t_ask", input: "{}" });
    const { toolCallId } = asked;
    const reply = await world.http("POST", `/api/sessions/${session.id}/approve`, { toolCallId });
    expect(reply).toMatchObject({ status: 200, body: { ok: true } });
    await stream.untilEnded();
    const order = ["tool_call_start", "tool_call_end", "approval_required", "tool_result", "done"];
    expect(names(stream).filter((name) => order.includes(name ?? ""))).toEqual(order);
    expect(await stream.message("tool_result")).toMatchObject({ toolCallId, ok: true });
  },
);

verifies(
  ["gateway:question-prompt", "gateway:any-tool"],
  "questions and forms have events of their own",
  { tools },
  async (world) => {
    const session = await world.session();
    const first = await EventStream.send(world, session.id, { content: "/call t_questions {}" });
    const { toolCallId, questions } = await first.message("question_prompt");
    expect(questions).toMatchObject([{ question: "Which?", multiSelect: false }]);
    const answers = { "0": "Blue" };
    await world.http("POST", `/api/sessions/${session.id}/submit-answers`, { toolCallId, answers });
    await first.untilEnded();
    const second = await EventStream.send(world, session.id, { content: "/call t_name {}" });
    expect((await second.message("input_required")).inputSchema).toMatchObject({ type: "form" });
    await world.http("POST", `/api/sessions/${session.id}/cancel`, {});
    expect(await second.message("interaction_closed")).toMatchObject({ reason: "cancelled" });
    expect(await second.message("done")).toMatchObject({ status: "cancelled" });
  },
);

inEveryMode(
  "hanging up stops nothing, and the same message again follows the same turn from its start",
  { tools },
  async (world) => {
    const session = await world.session();
    const message = { content: "/call t_ask {}", messageId: "m1" };
    const first = await EventStream.send(world, session.id, message);
    const { toolCallId } = await first.message("approval_required");
    first.close();
    const again = await EventStream.send(world, session.id, message);
    expect(await again.message("approval_required")).toMatchObject({ toolCallId });
    await world.http("POST", `/api/sessions/${session.id}/approve`, { toolCallId });
    await again.untilEnded();
    expect(names(again).at(-1)).toBe("done");
    const log = await world.log(session.id);
    expect(log.filter(({ type }) => type === "turn_start")).toHaveLength(1);
    const late = await EventStream.send(world, session.id, message);
    await late.untilEnded();
    expect(names(late)).toEqual(names(again));
  },
);

inEveryMode("a queued message tells nothing of the turn before it", { tools }, async (world) => {
  const session = await world.session();
  const first = await EventStream.send(world, session.id, { content: "/call t_ask {}" });
  const { toolCallId } = await first.message("approval_required");
  const second = await EventStream.send(world, session.id, { content: "second" });
  await world.http("POST", `/api/sessions/${session.id}/approve`, { toolCallId });
  await second.untilEnded();
  expect(names(second)).not.toContain("tool_result");
  const text = second.messages.map(({ data }) => data.data.text ?? "").join("");
  expect(text).toContain("> second");
});

inEveryMode("a message that is refused gets a plain HTTP error", { tools }, async (world) => {
  const session = await world.session();
  const headers = { accept: "text/event-stream" };
  const refused = await world.http(
    "POST",
    `/api/sessions/none/messages`,
    { content: "x" },
    headers,
  );
  expect(refused).toMatchObject({ status: 404, body: { code: "session_not_found" } });
  await (await EventStream.send(world, session.id, { content: "a", messageId: "m" })).untilEnded();
  const path = `/api/sessions/${session.id}/messages`;
  const reused = await world.http("POST", path, { content: "b", messageId: "m" }, headers);
  expect(reused).toMatchObject({ status: 409, body: { code: "message_id_reused" } });
});

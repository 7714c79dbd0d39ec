import { expect } from "vitest";
import type { Talk } from "../talk.ts";

/** A real runtime that calls our tools, and what its model says and hears. */
export interface Runtime {
  talk(): Promise<Talk>;
  /** The model says each of these in turn: calls of our tools, and at last some words. */
  script(...turns: OurCall[][]): void;
  /** What the model was told of one of its calls. */
  heard(id: string): string;
}

export interface OurCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

const of = (talk: Talk, type: string) =>
  talk.client.events(talk.sessionId).filter((event) => event.type === type) as any[];

/** A question: the call is ours, asked once, and its answer is what the model reads. */
export async function asksOnce(runtime: Runtime): Promise<void> {
  const talk = await runtime.talk();
  runtime.script([{ id: "call_q", name: "ask_user", input: { question: "Which colour?" } }]);
  await talk.say("paint it");
  const request = await talk.prompt();
  expect(request.payload).toMatchObject({
    toolCallId: "call_q",
    toolName: "ask_user",
    presentation: "questionnaire",
    asker: { kind: "agent" },
  });
  await talk.answer(request, { action: "submit", input: { answer: "Blue" } });
  expect(await talk.ended()).toBe("completed");
  expect(JSON.parse(runtime.heard("call_q"))).toEqual({ ok: true, answer: "Blue" });
  expect(of(talk, "interaction_request")).toHaveLength(1);
  expect(of(talk, "tool_call").map(({ payload }) => payload)).toEqual([
    {
      toolCallId: "call_q",
      toolName: "ask_user",
      input: { question: "Which colour?" },
      origin: "agent",
    },
  ]);
  const [result] = of(talk, "tool_result");
  expect(result.turnId).toBe(request.turnId);
  expect(result.payload).toMatchObject({
    ok: true,
    result: { ok: true, answer: "Blue" },
    authorizedBy: "tool",
  });
}

/** An operation with an approval of its own: one prompt, a grant for the rest, an effect each. */
export async function isHeldOnce(runtime: Runtime): Promise<void> {
  const talk = await runtime.talk();
  const order = (id: string) => ({ id, name: "desk_order", input: { cake: `cake of ${id}` } });
  const same = { cake: "plum" };
  runtime.script(
    [{ id: "call_1", name: "desk_order", input: same }],
    [{ id: "call_2", name: "desk_order", input: same }],
    [order("call_3")],
  );
  await talk.say("order cakes");
  const first = await talk.prompt();
  expect(first.payload).toMatchObject({
    toolName: "desk_order",
    interactionType: "approval",
    toolInput: same,
  });
  await talk.answer(first, { action: "approve", approvalScope: "session" });
  // What was allowed for the session is not asked again; another input is.
  const other = await talk.prompt(2);
  expect(other.payload).toMatchObject({ toolCallId: "call_3" });
  await talk.answer(other, { action: "deny", reason: "no more cakes" });
  expect(await talk.ended()).toBe("completed");
  const ordered = JSON.parse(runtime.heard("call_1")).ordered as string[];
  expect(ordered.at(-1)).toBe("plum");
  expect(JSON.parse(runtime.heard("call_2"))).toEqual({ ordered: [...ordered, "plum"] });
  expect(runtime.heard("call_3")).toContain("no more cakes");
  expect(of(talk, "interaction_request")).toHaveLength(2);
  const results = of(talk, "tool_result").map(({ payload }) => payload);
  expect(results.map(({ authorizedBy = "nobody" }) => authorizedBy.split(":")[0])).toEqual([
    "interaction",
    "grant",
    "nobody",
  ]);
  expect(results.map(({ error }) => error?.code)).toEqual([undefined, undefined, "tool_denied"]);
}

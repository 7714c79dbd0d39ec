import { expect } from "vitest";
import type { InteractionRequest } from "../../src/protocol/index.ts";
import { checkLog } from "./always-true.ts";
import type { Client } from "./client.ts";
import { inEveryMode } from "./verifies.ts";

/** What a newcomer might answer to each prompt of the tour, by its tool. */
function answerTo({
  toolName,
  attempt,
  questions,
  inputSchema,
}: InteractionRequest): Record<string, unknown> {
  if (questions) {
    return { action: "submit", input: { answers: { "0": "SQLite", "1": '["Tests","A parade"]' } } };
  }
  switch (toolName) {
    case "tour_delete":
      return { action: "approve", approvalScope: "once" };
    case "tour_form": {
      const name = attempt === 1 ? "Spring" : "Spring 2";
      return { action: "submit", input: { ...inputSchema?.initialValues, name } };
    }
    case "tour_secret":
      return { action: "submit", input: { account: "demo", key: "hunter2-hunter2" } };
    default: {
      const options = inputSchema?.fields?.[0]?.options;
      return { action: "submit", input: { answer: options?.[0]?.value ?? "Later" } };
    }
  }
}

/** Answers the prompts from the `from`th to the `to`th, each as it comes. */
async function answer(client: Client, from: number, to: number): Promise<void> {
  for (let nth = from; nth <= to; nth++) {
    const request = await client.event("interaction_request", nth);
    expect(await client.answer(request, answerTo(request.payload))).toMatchObject({ ok: true });
  }
}

/** The last one, of `tour_late`, is left alone. */
const PROMPTS = 9;

inEveryMode("the tour asks in every way, and survives a crash in the middle", {}, async (world) => {
  const { session, client } = await world.conversation();
  await client.say(session.id, "/tour");
  await answer(client, 1, 3);
  await client.event("interaction_request", 4);
  await world.crash();

  const again = await world.person();
  await again.subscribe(session.id);
  await answer(again, 4, PROMPTS - 1);
  const late = await again.event("interaction_request", PROMPTS);
  expect(late.payload.toolName).toBe("tour_late");
  await world.advance(5_000);
  expect((await again.event("turn_end")).payload.status).toBe("completed");

  const reply = await again.answer(late, answerTo(late.payload));
  expect(reply).toMatchObject({ ok: true });
  const message = await again.event("user_message", ({ source }) => source === "late_answer");
  expect(message.payload.interactionId).toBe(late.payload.interactionId);
  await again.event("turn_end", 2);

  const log = await world.log(session.id);
  checkLog(log);
  const asked = log.flatMap((one) => (one.type === "interaction_request" ? [one.payload] : []));
  expect(asked.map((one) => `${one.toolName} ${one.attempt}`)).toEqual([
    "tour_delete 1",
    "ask_user 1",
    "ask_questions 1",
    "tour_form 1",
    "tour_form 2",
    "tour_secret 1",
    expect.stringMatching(/^(ask_user|tour_delete) 1$/),
    expect.stringMatching(/^(ask_user|tour_delete) 1$/),
    "tour_late 1",
  ]);
  expect(asked[4]?.fieldErrors).toHaveProperty("name");
  expect(asked[4]?.inputSchema?.initialValues).toMatchObject({ name: "Spring", servers: 3 });
  expect(JSON.stringify(log)).not.toContain("hunter2");
  const results = log.flatMap((one) => (one.type === "tool_result" ? [one.payload.ok] : []));
  expect(results).toEqual(results.map(() => true));
  const thinking = log.filter((one) => one.type === "thinking");
  expect(thinking).toHaveLength(1);
});

inEveryMode("whoever says no to everything still sees the whole tour", {}, async (world) => {
  const { session, client } = await world.conversation();
  await client.say(session.id, "/tour");
  for (let nth = 1; nth <= 7; nth++) {
    const request = await client.event("interaction_request", nth);
    expect(await client.answer(request, { action: "deny" })).toMatchObject({ ok: true });
  }
  const last = await client.event("interaction_request", 8);
  expect(last.payload.toolName).toBe("tour_late");
  await client.answer(last, { action: "deny" });
  await client.event("turn_end");
  const said = (await world.log(session.id)).filter((one) => one.type === "text");
  expect(said.at(-1)?.payload.text).toContain("That was all of it.");
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { shows } from "../../support/shows.ts";
import { ClaudeHouse } from "./claude-house.ts";
import type { Talk } from "../talk.ts";

let house: ClaudeHouse;
beforeAll(async () => {
  house = await ClaudeHouse.open();
});
afterAll(() => house.close());

const question = (text: string, multiSelect = false, labels = ["Red", "Blue"]) => ({
  header: "Colour",
  question: text,
  multiSelect,
  options: labels.map((label) => ({ label, description: `${label}, of course` })),
});

/** Lets the model ask, answers, and tells what the model was then told. */
async function asked(
  talk: Talk,
  id: string,
  questions: object[],
  body: Record<string, unknown>,
): Promise<string> {
  house.model.answer([says(toolUse(id, "AskUserQuestion", { questions })), says("Thank you.")]);
  await talk.say("ask me");
  const request = await talk.client.event(
    "interaction_request",
    (payload) => payload.toolCallId === id,
  );
  expect(request.payload).toMatchObject({
    presentation: "questionnaire",
    interactionType: "input",
    questions: questions.map((one) => ({ question: (one as { question: string }).question })),
  });
  await talk.answer(request, body);
  await talk.result(id);
  const received = () =>
    house.model.requests
      .flatMap((one) => latest(one).results)
      .find(({ toolUseId }) => toolUseId === id);
  await talk.client.event("turn_end", talk.types().filter((type) => type === "turn_start").length);
  return received()?.text ?? "";
}

shows(
  "gateway:answers-injected",
  "the model receives the answers under the questions' texts",
  async () => {
    const talk = await house.talk();
    const one = await asked(talk, "toolu_q1", [question("Which colour?")], {
      action: "submit",
      input: { answers: { "0": "Blue" } },
    });
    expect(one).toContain('"Which colour?"="Blue"');

    const several = await asked(
      talk,
      "toolu_q2",
      [question("Outside?"), question("Inside?"), question("Extras?", true, ["Roof", "Doors"])],
      {
        action: "submit",
        input: { answers: { "0": "Red", "1": "Blue", "2": '["Roof","Doors"]' } },
      },
    );
    expect(several).toContain('"Outside?"="Red"');
    expect(several).toContain('"Inside?"="Blue"');
    expect(several).toContain('"Extras?"="Roof, Doors"');
  },
);

test("an answer in the person's own words arrives as it was written", async () => {
  const talk = await house.talk();
  const text = await asked(talk, "toolu_q3", [question("Which colour?"), question("Roof?", true)], {
    action: "submit",
    input: { answers: { "0": "Green, like the door", "1": '["Red","with a stripe"]' } },
  });
  expect(text).toContain("Green, like the door");
  expect(text).toContain("Red, with a stripe");
});

test("two questions with the same text are refused by the SDK itself, and the model is told", async () => {
  const talk = await house.talk();
  const questions = [question("Which?"), question("Which?")];
  house.model.answer([
    says(toolUse("toolu_q4", "AskUserQuestion", { questions })),
    says("I ask again."),
  ]);
  await talk.say("ask me");
  expect(await talk.ended()).toBe("completed");
  expect(talk.types()).not.toContain("interaction_request");
  const [result] = latest(house.model.requests.at(-1)!).results;
  expect(result?.text).toContain("Question texts must be unique");
});

test("who does not want to answer is not said to have answered", async () => {
  const talk = await house.talk();
  const text = await asked(talk, "toolu_q5", [question("Which?")], { action: "cancel" });
  expect(text).toContain("did not want to answer");
});

test("by the gateway's route the answers arrive the same", async () => {
  const talk = await house.talk();
  house.model.answer([
    says(toolUse("toolu_q6", "AskUserQuestion", { questions: [question("Which?")] })),
    says("Thank you."),
  ]);
  await talk.say("ask me");
  await talk.prompt();
  const path = `/sessions/${talk.sessionId}/submit-answers`;
  const reply = await house.api("POST", path, { toolCallId: "toolu_q6", answers: { "0": "Red" } });
  expect(reply).toEqual({ status: 200, body: { ok: true } });
  expect(await talk.ended()).toBe("completed");
  expect(latest(house.model.requests.at(-1)!).results[0]?.text).toContain('"Which?"="Red"');
});

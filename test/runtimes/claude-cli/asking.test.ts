import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { Talk } from "../talk.ts";
import { CliHouse } from "./cli-house.ts";

let house: CliHouse;
beforeAll(async () => {
  house = await CliHouse.openWith();
  writeFileSync(join(house.work, "ask.mjs"), ASK);
});
afterAll(() => house.close());

/** Asks with what a command finds in its environment, and prints the answer. */
const ASK = `
const { BECKON_URL, BECKON_TOKEN, BECKON_SESSION_ID } = process.env;
const headers = { authorization: "Bearer " + BECKON_TOKEN, "content-type": "application/json" };
const call = async (path, more) =>
  (await fetch(BECKON_URL + "/api/interactions" + path, { headers, ...more })).json();
const fields = [{ id: "colour", type: "text", label: "Colour" }];
const inputSchema = { type: "form", fields };
const body = { sessionId: BECKON_SESSION_ID, toolCallId: process.argv[2], type: "input" };
const asked = await call("", {
  method: "POST",
  body: JSON.stringify({ ...body, prompt: "Which colour?", inputSchema }),
});
const { response } = asked.id ? await call("/" + asked.id + "?wait=60") : asked;
console.log("The colour is", response?.input?.colour ?? JSON.stringify(asked));
`;
const commandThatAsks = (toolCallId: string) => `node ask.mjs ${toolCallId}`;

test("what its Bash tool asks stands in that tool's block, live and read again", async () => {
  const talk = await house.talk();
  const command = commandThatAsks("toolu_a1");
  house.model.answer([says(toolUse("toolu_a1", "Bash", { command })), says("Blue it is.")]);
  await talk.say("find out the colour");
  await talk.answer(await talk.prompt(), { action: "approve" });
  const asked = await talk.prompt(2);
  const call = await talk.client.event("tool_call");
  expect(asked.payload).toMatchObject({ toolCallId: "toolu_a1", prompt: "Which colour?" });
  expect(asked).toMatchObject({ turnId: call.turnId, responseId: call.responseId });

  const reader = await house.person();
  await reader.subscribe(talk.sessionId);
  const again = new Talk(reader, talk.sessionId);
  expect(await again.prompt(2)).toEqual(asked);
  await again.answer(asked, { action: "submit", input: { colour: "blue" } });

  expect(await talk.ended()).toBe("completed");
  expect(talk.types().filter((type) => type === "tool_call")).toHaveLength(1);
  expect(await talk.result("toolu_a1")).toMatchObject({ ok: true, result: "The colour is blue" });
  const { results } = latest(house.model.requests.at(-1) as never);
  expect(results[0]?.text).toContain("The colour is blue");
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import type { Talk } from "../talk.ts";
import { ClaudeHouse } from "./claude-house.ts";

let house: ClaudeHouse;
beforeAll(async () => {
  house = await ClaudeHouse.open();
});
afterAll(() => house.close());

const session = async ({ sessionId }: Talk) =>
  (await house.api("GET", `/sessions/${sessionId}`)).body;
const texts = ({ client }: Talk) =>
  client.events().flatMap(({ type, payload }: any) => (type === "text" ? [payload.text] : []));

test("who wants the plan changed keeps Claude planning, and it reads why", async () => {
  const talk = await house.talk({ permissionMode: "plan" });
  house.model.answer([says(toolUse("toolu_keep", "ExitPlanMode", {})), says("I think again.")]);
  await talk.say("make a plan");
  const keep = { action: "deny", optionId: "keep", reason: "Blue, not red." };
  await talk.answer(await talk.prompt(), keep);
  expect(await talk.ended()).toBe("completed");
  expect((await session(talk)).permissionMode).toBe("plan");
  const [received] = latest(house.model.requests.at(-1)!).results;
  expect(received?.text).toContain("Blue, not red.");
});

test("who accepts a plan and says no more is asked before edits", async () => {
  const talk = await house.talk({ permissionMode: "plan" });
  house.model.answer([says(toolUse("toolu_go", "ExitPlanMode", {})), says("I begin.")]);
  await talk.say("make a plan");
  await talk.answer(await talk.prompt(), { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect((await session(talk)).permissionMode).toBe("default");
});

test("a model that is chosen by /model is the session's, also for the next turn", async () => {
  const talk = await house.talk();
  house.model.answer(() => says("Hello."));
  await talk.say("/model haiku");
  expect(await talk.ended()).toBe("completed");
  expect((await session(talk)).model).toBe("haiku");
  await talk.say("who are you?");
  expect(await talk.ended(2)).toBe("completed");
  expect(house.model.requests.at(-1)?.model).toContain("haiku");
});

test("a folder that does not exist is what the turn's error says", async () => {
  const talk = await house.talk({ cwd: "/does/not/exist" });
  await talk.say("hello");
  expect(await talk.ended()).toBe("failed");
  const { payload } = await talk.client.event("error");
  expect(payload.message).toBe(
    "The folder /does/not/exist does not exist. Make it, or choose another.",
  );
});

test("a conversation that was compacted says so", async () => {
  const talk = await house.talk();
  house.model.answer(() => says("Hello."));
  await talk.say("hello");
  expect(await talk.ended()).toBe("completed");
  await talk.say("/compact");
  expect(await talk.ended(2)).toBe("completed");
  expect(texts(talk).at(-1)).toContain("The conversation was compacted.");
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { Talk } from "../talk.ts";
import { CliHouse } from "./cli-house.ts";

let house: CliHouse;
beforeAll(async () => {
  house = await CliHouse.openWith();
});
afterAll(() => house.close());

test("what its Bash tool asks by beckon ask finds that tool's block by its words, live and read again", async () => {
  const talk = await house.talk({ permissionMode: "bypassPermissions" });
  const command = `beckon ask "Which colour?"`;
  house.model.answer([says(toolUse("toolu_w1", "Bash", { command })), says("Done.")]);
  await talk.say("ask somebody");
  const request = await talk.prompt();
  const call = await talk.client.event("tool_call");
  expect(request).toMatchObject({
    turnId: call.turnId,
    responseId: call.responseId,
    payload: { toolCallId: "toolu_w1", prompt: "Which colour?", anchored: true },
  });
  const reader = await house.person();
  await reader.subscribe(talk.sessionId);
  const again = new Talk(reader, talk.sessionId);
  expect(await again.prompt()).toEqual(request);
  await again.answer(request, { action: "submit", input: { answer: "Blue" } });
  expect(await talk.result("toolu_w1")).toMatchObject({
    ok: true,
    result: expect.stringContaining("Blue"),
  });
  expect(await talk.ended()).toBe("completed");
  expect(talk.types().filter((type) => type === "tool_call")).toHaveLength(1);
});

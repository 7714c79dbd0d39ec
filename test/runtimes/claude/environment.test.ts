import { afterAll, beforeAll, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { ClaudeHouse } from "./claude-house.ts";

let house: ClaudeHouse;
beforeAll(async () => {
  house = await ClaudeHouse.open();
});
afterAll(() => house.close());

test("its Bash tool has what it needs to ask in its session", async () => {
  const { url } = await house.beckon.listen({ host: "127.0.0.1", port: 0 });
  const talk = await house.talk();
  const command = 'echo "$BECKON_URL $BECKON_SESSION_ID ${#BECKON_TOKEN}"; command -v beckon';
  house.model.answer([says(toolUse("toolu_env", "Bash", { command })), says("I see.")]);
  await talk.say("look");
  await talk.answer(await talk.prompt(), { action: "approve" });
  const { result } = await talk.result("toolu_env");
  expect(result).toMatch(new RegExp(`^${url} ${talk.sessionId} [1-9]\\d+\n.*/bin/path/beckon`));
  expect(await talk.ended()).toBe("completed");
});

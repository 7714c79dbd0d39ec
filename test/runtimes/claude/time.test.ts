import { afterEach, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { shows } from "../../support/shows.ts";
import { ClaudeHouse } from "./claude-house.ts";

let house: ClaudeHouse;
afterEach(() => house.close());

shows(
  "gateway:timed-out",
  "when nobody answers, the model is told so, and not that a person denied",
  async () => {
    house = await ClaudeHouse.open({ timeoutMs: 1_000 });
    const talk = await house.talk();
    house.model.answer([says(toolUse("toolu_t1", "Bash", { command: "mkdir x" })), says("I see.")]);
    await talk.say("go");
    expect(await talk.ended()).toBe("completed");
    const [result] = latest(house.model.requests.at(-1)!).results;
    expect(result).toMatchObject({ isError: true });
    expect(result?.text).toContain("Nobody answered within 1 seconds");
    expect((await talk.client.event("interaction_closed")).payload.reason).toBe("timed_out");
    expect((await talk.result("toolu_t1")).error?.code).toBe("interaction_timeout");
  },
);

test("null waits for ever", async () => {
  house = await ClaudeHouse.open({ timeoutMs: null });
  const talk = await house.talk();
  house.model.answer([says(toolUse("toolu_t2", "Bash", { command: "mkdir x" })), says("Done.")]);
  await talk.say("go");
  const request = await talk.prompt();
  expect(request.payload.timeoutMs).toBeUndefined();
  expect(request.payload.expiresAt).toBeUndefined();
  await talk.answer(request, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
});

test("a configured rule asks about what Claude Code would let run", async () => {
  house = await ClaudeHouse.open({ ask: ["Bash(echo:*)"] });
  const talk = await house.talk();
  house.model.answer([says(toolUse("toolu_r1", "Bash", { command: "echo hi" })), says("Done.")]);
  await talk.say("go");
  await talk.answer(await talk.prompt(), { action: "approve" });
  expect(await talk.ended()).toBe("completed");
});

test("without the SDK the turn ends with a sentence that says how to install it", async () => {
  house = await ClaudeHouse.open({ sdkPath: "@anthropic-ai/not-installed" });
  const talk = await house.talk();
  await talk.say("go");
  expect(await talk.ended()).toBe("failed");
  const { payload } = await talk.client.event("error");
  expect(payload.message).toContain("npm install --save-optional @anthropic-ai/claude-agent-sdk");
});

import { afterEach, expect, test } from "vitest";
import { says } from "../../../src/testing/index.ts";
import { processesOf } from "../processes.ts";
import { CodexHouse, runs } from "./codex-house.ts";

let house: CodexHouse;
afterEach(() => house.close());

test("a cancelled turn leaves no process behind, and the session can be used again", async () => {
  house = await CodexHouse.open();
  const talk = await house.talk();
  house.model.answer([says(runs("call_s", "sleep 987654")), says("Yes, I am.")]);
  await talk.say("wait long");
  await talk.client.event("tool_call");
  await expect.poll(() => processesOf(house.folder).join("\n")).toContain("sleep 987654");
  await talk.client.ask({ type: "cancel", sessionId: talk.sessionId });
  expect(await talk.ended()).toBe("cancelled");
  await expect.poll(() => processesOf(house.folder)).toEqual([]);
  await talk.say("still there?");
  expect(await talk.ended(2)).toBe("completed");
  expect(JSON.stringify(house.model.requests.at(-1)?.input)).toContain("wait long");
  expect(talk.client.events().filter(({ type }) => type === "tool_call")).toHaveLength(1);
});

test("without Codex the turn ends with a sentence that says how to install it", async () => {
  house = await CodexHouse.open({ command: "codex-that-is-not-there" });
  const talk = await house.talk();
  await talk.say("go");
  expect(await talk.ended()).toBe("failed");
  const { payload } = await talk.client.event("error");
  expect(payload).toMatchObject({ code: "agent_unavailable" });
  expect(payload.message).toContain("npm install -g @openai/codex");
});

test("a Codex that refuses to start is quoted", async () => {
  house = await CodexHouse.open({ config: { model_provider: "nobody" } });
  const talk = await house.talk();
  await talk.say("go");
  expect(await talk.ended()).toBe("failed");
  const { payload } = await talk.client.event("error");
  expect(payload.message).toMatch(/^Codex ended with exit code 1: .*nobody/s);
});

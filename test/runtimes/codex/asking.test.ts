import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { latestInput, says } from "../../../src/testing/index.ts";
import { commandLines, processesOf } from "../processes.ts";
import { CodexHouse, runs } from "./codex-house.ts";

let house: CodexHouse;
afterEach(() => house.close());

const ASK = 'beckon ask "Which colour?"';

/** What the model was told last. */
const heard = () => latestInput(house.model.requests.at(-1)!).results[0]?.text ?? "";

test("a command asks in its own block where its sandbox has the network, and the model reads the answer", async () => {
  house = await CodexHouse.open({ network: true });
  const talk = await house.talk();
  house.model.answer([says(runs("call_a", ASK)), says("Blue it is.")]);
  await talk.say("paint it");
  const request = await talk.prompt();
  const call = await talk.client.event("tool_call");
  expect(request.payload).toMatchObject({ prompt: "Which colour?", toolCallId: "call_a" });
  expect([request.turnId, request.responseId]).toEqual([call.turnId, call.responseId]);
  await talk.answer(request, { action: "submit", input: { answer: "Blue" } });
  expect(await talk.ended()).toBe("completed");
  expect(heard()).toContain("Blue");
  expect(talk.types().filter((type) => type === "tool_call")).toHaveLength(1);
});

test("what a script asks is asked in the block of the command that runs it", async () => {
  house = await CodexHouse.open({ network: true });
  writeFileSync(join(house.work, "paint.sh"), ASK);
  const talk = await house.talk();
  const both = says(
    runs("call_p", "sh paint.sh"),
    runs("call_o", "until [ -e painted ]; do sleep 0.05; done"),
  );
  house.model.answer([both, says("Painted.")]);
  await talk.say("paint it");
  const request = await talk.prompt();
  expect(request.payload.toolCallId).toBe("call_p");
  await talk.answer(request, { action: "submit", input: { answer: "Blue" } });
  expect((await talk.result("call_p")).result).toMatchObject({ exitCode: 0 });
  writeFileSync(join(house.work, "painted"), "");
  expect(await talk.ended()).toBe("completed");
});

test("what was asked is closed when Codex is stopped", async () => {
  house = await CodexHouse.open({ network: true });
  const talk = await house.talk();
  house.model.answer([says(runs("call_s", ASK))]);
  await talk.say("paint it");
  await talk.prompt();
  await talk.client.ask({ type: "cancel", sessionId: talk.sessionId });
  expect(await talk.ended()).toBe("cancelled");
  expect(talk.types()).toContain("interaction_closed");
  await expect.poll(() => processesOf(house.folder)).toEqual([]);
});

test("without the network a command says in one sentence why it cannot ask", async () => {
  house = await CodexHouse.open();
  const talk = await house.talk();
  house.model.answer([says(runs("call_n", ASK)), says("Then not.")]);
  await talk.say("paint it");
  expect(await talk.ended()).toBe("completed");
  expect(heard()).toMatch(
    /^The sandbox of this command lets it open no network connections, .*\.$/m,
  );
  expect(talk.types()).not.toContain("interaction_request");
  // Codex takes that for a refusal of its sandbox, of which it tells nobody but the model.
  expect((await talk.result("call_n")).result).toMatchObject({ exitCode: 1 });
});

test("a command finds beckon and the token, which nobody can read from a command line", async () => {
  house = await CodexHouse.open({ env: { BECKON_TOKEN: "mine", BECKON_DATA: "/mine" } });
  const talk = await house.talk();
  const look = "command -v beckon; env | grep ^BECKON_; until [ -e gate ]; do sleep 0.05; done";
  house.model.answer([says(runs("call_e", look)), says("Seen.")]);
  await talk.say("look around");
  await talk.client.event("tool_call");
  const lines = commandLines().join("\n");
  writeFileSync(join(house.work, "gate"), "");
  expect(await talk.ended()).toBe("completed");
  const { output } = (await talk.result("call_e")).result as { output: string };
  expect(output).toMatch(/bin\/path\/beckon$/m);
  expect(output).toContain(`BECKON_URL=${house.url}`);
  expect(output).toContain(`BECKON_SESSION_ID=${talk.sessionId}`);
  expect(output).not.toContain("mine");
  const [, token = ""] = /BECKON_TOKEN=(.+)/.exec(output) ?? [];
  expect(token).not.toBe("");
  expect(lines).toContain(talk.sessionId);
  expect(lines).not.toContain(token);
});

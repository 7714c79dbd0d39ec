import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latestInput, says, thinking, toolUse } from "../../../src/testing/index.ts";
import { CodexHouse, runs } from "./codex-house.ts";

let house: CodexHouse;
beforeAll(async () => {
  house = await CodexHouse.open();
});
afterAll(() => house.close());

test("thoughts, words and commands are in the log in their order, and a second turn remembers the first", async () => {
  const talk = await house.talk();
  house.model.answer([
    says(thinking("Let me see."), "I look.", runs("call_1", "echo 'it is' here; exit 3")),
    says("There it is."),
  ]);
  await talk.say("-first, look");
  expect(await talk.ended()).toBe("completed");
  const told = talk.client
    .events()
    .filter(({ type }) => ["thinking", "text", "tool_call", "tool_result"].includes(type))
    .map(({ type, payload }) => ({ type, payload }));
  const command = "echo 'it is' here; exit 3";
  expect(told).toMatchObject([
    { type: "thinking", payload: { text: "Let me see." } },
    { type: "text", payload: { text: "I look." } },
    {
      type: "tool_call",
      payload: { toolCallId: "call_1", toolName: "shell", input: { command } },
    },
    {
      type: "tool_result",
      payload: { toolCallId: "call_1", result: { output: "it is here\n", exitCode: 3 } },
    },
    { type: "text", payload: { text: "There it is." } },
  ]);
  const usage = talk.client.frames
    .map((frame) => frame["event"])
    .find((event) => event?.payload?.usage !== undefined);
  expect(usage?.payload.usage.output_tokens).toBe(20);
  const end = await talk.client.event("turn_end");
  expect(end.payload.usage).toMatchObject({ output: 20 });

  house.model.answer([says(runs("call_1", "echo again")), says("Yes, I remember.")]);
  await talk.say("second");
  expect(await talk.ended(2)).toBe("completed");
  const again = await talk.client.event("turn_end", 2);
  expect(again.payload.usage).toMatchObject({ output: 20 });
  const sent = JSON.stringify(house.model.requests.at(-1)?.input);
  for (const words of ["-first, look", "There it is.", "second"]) expect(sent).toContain(words);
  const calls = talk.client.events().filter(({ type }) => type === "tool_call");
  // The model used its id again, for another call.
  expect(new Set(calls.map(({ payload }) => (payload as any).toolCallId)).size).toBe(2);
  expect(talk.client.events().filter(({ type }) => type === "text")).toHaveLength(3);
});

test("a change of files is a call that shows the change", async () => {
  const talk = await house.talk();
  const patch = "*** Begin Patch\n*** Add File: p.txt\n+hello\n*** End Patch\n";
  house.model.answer([says(toolUse("call_p", "apply_patch", patch)), says("Written.")]);
  await talk.say("write it");
  expect(await talk.ended()).toBe("completed");
  const call = await talk.client.event("tool_call");
  expect(call.payload).toMatchObject({
    toolCallId: "call_p",
    toolName: "apply_patch",
    input: { patch },
  });
  expect(call.payload.changes).toEqual([{ path: "p.txt", kind: "add", newText: "hello\n" }]);
  expect((await talk.result("call_p")).ok).toBe(true);
  expect(readFileSync(join(house.work, "p.txt"), "utf8")).toBe("hello\n");
  const move =
    "*** Begin Patch\n*** Update File: p.txt\n*** Move to: q.txt\n@@\n-hello\n+HELLO\n*** End Patch\n";
  house.model.answer([says(toolUse("call_q", "apply_patch", move)), says("Moved.")]);
  await talk.say("move it");
  expect(await talk.ended(2)).toBe("completed");
  expect((await talk.client.event("tool_call", 2)).payload.changes).toEqual([
    { path: "p.txt", kind: "move", to: "q.txt", diff: "@@\n-hello\n+HELLO" },
  ]);
  expect(readFileSync(join(house.work, "q.txt"), "utf8")).toBe("HELLO\n");
});

test("a command that the sandbox refused is in the log too, in its place", async () => {
  const talk = await house.talk();
  house.model.answer([
    says(runs("call_d", "echo no > /etc/beckon-was-here")),
    says("I may not.", runs("call_e", "echo but this")),
    says("Done."),
  ]);
  await talk.say("write there");
  expect(await talk.ended()).toBe("completed");
  const told = talk.client
    .events()
    .filter(({ type }) => ["text", "tool_call", "tool_result"].includes(type))
    .map(({ type, payload }) => [type, (payload as any).toolCallId ?? (payload as any).text]);
  expect(told).toEqual([
    ["tool_call", "call_d"],
    ["tool_result", "call_d"],
    ["text", "I may not."],
    ["tool_call", "call_e"],
    ["tool_result", "call_e"],
    ["text", "Done."],
  ]);
  expect((await talk.result("call_d")).result).toMatchObject({ exitCode: 1 });
});

test("a session's own instructions and model reach the model, also in later turns", async () => {
  const talk = await house.talk({ systemPrompt: 'Speak "plainly".\nAlways.', model: "gpt-5.4" });
  house.model.answer([says("So."), says("So again.")]);
  await talk.say("one");
  await talk.ended();
  await talk.say("two");
  expect(await talk.ended(2)).toBe("completed");
  for (const request of house.model.requests.slice(-2)) {
    expect(request.model).toBe("gpt-5.4");
    const given = request.input.flatMap(({ content = [] }) => content.map(({ text }) => text));
    expect(given).toContain('Speak "plainly".\nAlways.');
  }
});

test("a model that fails ends the turn as failed, with a sentence, and the next one works", async () => {
  const talk = await house.talk();
  house.model.answer(() => ({
    status: 400,
    error: { type: "invalid_request_error", message: "The model does not like this." },
  }));
  await talk.say("go");
  expect(await talk.ended()).toBe("failed");
  const error = await talk.client.event("error");
  expect(error.payload.message).toMatch(
    /^Codex could not finish: .*The model does not like this\./,
  );
  house.model.answer(() => ({ status: 500, error: { type: "server_error", message: "Oh." } }));
  await talk.say("and now?");
  expect(await talk.ended(2)).toBe("failed");
  expect((await talk.client.event("error", 2)).payload.message).toMatch(/^Codex could not finish/);
  house.model.answer([says("Here I am.")]);
  await talk.say("once more");
  expect(await talk.ended(3)).toBe("completed");
  expect(latestInput(house.model.requests.at(-1)!).text).toContain("once more");
});

test("a program's message reaches the model as the program's", async () => {
  const talk = await house.talk();
  const holder = { kind: "machine", name: "nightly" } as const;
  const { sessionId } = talk;
  const { token } = await house.beckon.credentials.createToken({ holder, sessionId });
  house.model.answer([says("I see.")]);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ content: "The build is red." });
  const url = `http://127.0.0.1/api/sessions/${sessionId}/messages`;
  await house.beckon.fetch(new Request(url, { method: "POST", headers, body }));
  expect(await talk.ended()).toBe("completed");
  const sent = JSON.stringify(house.model.requests.at(-1)?.input);
  expect(sent).toContain("comes from a program");
  expect(sent).toContain("> The build is red.");
});

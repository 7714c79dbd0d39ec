import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, thinking, toolUse } from "../../../src/testing/index.ts";
import { COLOUR } from "../claude/claude-house.ts";
import { CliHouse } from "./cli-house.ts";

let house: CliHouse;
beforeAll(async () => {
  house = await CliHouse.openWith();
});
afterAll(() => house.close());

/** What the model was told about a call. */
const received = (id: string) =>
  house.model.requests
    .flatMap((request) => latest(request).results)
    .find(({ toolUseId }) => toolUseId === id);

test("text grows, thoughts are told, what is approved runs, and a second turn remembers the first", async () => {
  const talk = await house.talk({ systemPrompt: "Speak like a pirate." });
  const command = "mkdir one && echo made";
  house.model.answer([
    says(thinking("Let me see."), "I make it.", toolUse("toolu_t1", "Bash", { command })),
    says("Done."),
  ]);
  await talk.say("--help");
  const asked = await talk.prompt();
  const call = await talk.client.event("tool_call");
  expect(asked).toMatchObject({ turnId: call.turnId, responseId: call.responseId });
  expect(call.turnId).toBeDefined();
  expect(asked.payload).toMatchObject({
    toolCallId: "toolu_t1",
    toolName: "Bash",
    toolInput: { command },
    approvalScopes: ["once", "session", "always"],
  });
  const written = talk.client.frames
    .map((frame) => frame["event"])
    .filter((event) => event?.type === "tool_call_delta");
  expect(JSON.parse(written.map(({ payload }) => payload.text).join(""))).toEqual({ command });
  expect(existsSync(join(house.work, "one"))).toBe(false);
  await talk.answer(asked, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect(await talk.result("toolu_t1")).toMatchObject({ ok: true, result: "made" });
  const { model, usage } = (await talk.client.event("turn_end")).payload;
  expect(model).toMatch(/^claude-/);
  expect(usage).toMatchObject({ input: 20, output: 20 });
  const stored = talk.client.events().map(({ type, payload }) => [type, (payload as any).text]);
  expect(stored).toContainEqual(["thinking", "Let me see."]);
  expect(stored.filter(([type]) => type === "text")).toEqual([
    ["text", "I make it."],
    ["text", "Done."],
  ]);
  const deltas = talk.client.frames
    .map((frame) => frame["event"])
    .filter((event) => event?.type === "text_delta");
  expect(deltas.map((event) => event.payload.text).join("")).toBe("I make it.Done.");
  expect(JSON.stringify(house.model.requests.at(-1))).toContain("Speak like a pirate.");
  house.model.answer([says("Yes, I remember.")]);
  await talk.say("second");
  expect(await talk.ended(2)).toBe("completed");
  const sent = JSON.stringify(house.model.requests.at(-1)?.messages);
  for (const words of ["--help", "I make it.", "second"]) expect(sent).toContain(words);
  const texts = talk.client.events().filter(({ type }) => type === "text");
  expect(texts).toHaveLength(3);
});

test("the model reads why a person said no, and gets the answers to its questions", async () => {
  const talk = await house.talk();
  house.model.answer([
    says(toolUse("toolu_t2", "Bash", { command: "mkdir two" })),
    says(toolUse("toolu_t3", "AskUserQuestion", { questions: [COLOUR] })),
    says("Blue."),
  ]);
  await talk.say("go");
  await talk.answer(await talk.prompt(), { action: "deny", reason: "Two is too many." });
  const questions = await talk.prompt(2);
  expect(questions.payload).toMatchObject({ toolCallId: "toolu_t3", interactionType: "input" });
  await talk.answer(questions, { action: "submit", input: { answers: { 0: "Blue" } } });
  expect(await talk.ended()).toBe("completed");
  expect(existsSync(join(house.work, "two"))).toBe(false);
  expect(received("toolu_t2")?.text).toContain("Two is too many.");
  expect((await talk.result("toolu_t2")).error?.code).toBe("tool_denied");
  expect(received("toolu_t3")?.text).toContain('"Which colour?"="Blue"');
});

test("what a person edited is what runs, and for the session is asked once", async () => {
  const talk = await house.talk();
  house.model.answer([
    says(toolUse("toolu_t4", "Bash", { command: "touch drawer" })),
    says(toolUse("toolu_t5", "Bash", { command: "touch shelf" })),
    says(toolUse("toolu_t6", "Bash", { command: "touch shelf" })),
    says("Done."),
  ]);
  await talk.say("go");
  const edited = { command: "touch cupboard" };
  await talk.answer(await talk.prompt(), { action: "approve", updatedInput: edited });
  await talk.answer(await talk.prompt(2), { action: "approve", approvalScope: "session" });
  expect(await talk.ended()).toBe("completed");
  const made = ["drawer", "cupboard", "shelf"].map((name) => existsSync(join(house.work, name)));
  expect(made).toEqual([false, true, true]);
  expect((await talk.result("toolu_t6")).ok).toBe(true);
});

test("deny and stop ends the turn, and the model says no more", async () => {
  const talk = await house.talk();
  const before = house.model.requests.length;
  house.model.answer([says(toolUse("toolu_t7", "Bash", { command: "mkdir seven" }))]);
  await talk.say("go");
  await talk.answer(await talk.prompt(), { action: "deny", reason: "Enough.", stop: true });
  expect(await talk.ended()).toBe("cancelled");
  expect(house.model.requests.length - before).toBe(1);
});

test("what a sub-agent wants to do is asked about, inside the call that started it", async () => {
  const talk = await house.talk({ permissionMode: "acceptEdits" });
  house.model.answer((request) => {
    const { results, text } = latest(request);
    if (results.some(({ toolUseId }) => toolUseId === "toolu_task")) return says("All done.");
    if (results.some(({ toolUseId }) => toolUseId === "toolu_sub")) return says("Sub done.");
    if (text.includes("fetch the sub page")) {
      return says(toolUse("toolu_sub", "Read", { file_path: "/etc/hosts" }));
    }
    const input = {
      description: "fetch it",
      prompt: "fetch the sub page",
      subagent_type: "general-purpose",
      run_in_background: false,
    };
    return says(toolUse("toolu_task", "Task", input));
  });
  await talk.say("delegate");
  const asked = await talk.prompt();
  expect(asked.payload.toolCallId).toBe("toolu_sub");
  await talk.answer(asked, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect((await talk.result("toolu_sub")).ok).toBe(true);
});

test("a message sent into a turn is answered in it, and what it leads to is still asked", async () => {
  const talk = await house.talk();
  house.model.answer((request) => {
    const { results, text } = latest(request);
    if (results.some(({ toolUseId }) => toolUseId === "toolu_t9")) return says("All made.");
    if (text.includes("and nine"))
      return says(toolUse("toolu_t9", "Bash", { command: "mkdir nine" }));
    if (results.length > 0) return says("Made eight.");
    return says(toolUse("toolu_t8", "Bash", { command: "mkdir eight" }));
  });
  await talk.say("make eight");
  const first = await talk.prompt();
  await talk.say("and nine", { delivery: "steer" });
  await talk.answer(first, { action: "approve" });
  await talk.answer(await talk.prompt(2), { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect(existsSync(join(house.work, "nine"))).toBe(true);
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
  expect(error.payload.message).toContain("The model does not like this.");
  house.model.answer([says("Here I am.")]);
  await talk.say("and now?");
  expect(await talk.ended(2)).toBe("completed");
});

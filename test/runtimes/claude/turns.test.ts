import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, overloaded, says, thinking, toolUse } from "../../../src/testing/index.ts";
import { shows } from "../../support/shows.ts";
import { ClaudeHouse } from "./claude-house.ts";

let house: ClaudeHouse;
beforeAll(async () => {
  house = await ClaudeHouse.open();
});
afterAll(() => house.close());

test("text grows while it comes, thoughts are told, and a second turn remembers the first", async () => {
  const talk = await house.talk();
  house.model.answer([says(thinking("Let me see."), "A long answer.")]);
  await talk.say("first");
  expect(await talk.ended()).toBe("completed");
  const deltas = talk.client.frames
    .map((frame) => frame["event"])
    .filter((event) => event?.type === "text_delta");
  expect(deltas.map((event) => event.payload.text).join("")).toBe("A long answer.");
  const stored = talk.client.events().map(({ type, payload }) => [type, (payload as any).text]);
  expect(stored).toContainEqual(["thinking", "Let me see."]);
  expect(stored).toContainEqual(["text", "A long answer."]);
  house.model.answer([says("Yes, I remember.")]);
  await talk.say("second");
  expect(await talk.ended(2)).toBe("completed");
  const sent = JSON.stringify(house.model.requests.at(-1)?.messages);
  for (const words of ["first", "A long answer.", "second"]) expect(sent).toContain(words);
});

test("the input of a call is told in pieces as the model writes it, once its id is sure", async () => {
  const talk = await house.talk();
  const input = { file_path: "/etc/hosts" };
  const pieces = () =>
    talk.client.frames
      .map((frame) => frame["event"])
      .filter((event) => event?.type === "tool_call_delta");
  house.model.answer([says(toolUse("toolu_grow", "Read", input)), says("Read.")]);
  await talk.say("read it");
  const first = await talk.prompt();
  const grown = pieces();
  for (const { payload } of grown)
    expect(payload).toMatchObject({ toolCallId: "toolu_grow", toolName: "Read" });
  const json = grown.reduce(
    (text, { payload }) => text.slice(0, payload.offset) + payload.text,
    "",
  );
  expect(JSON.parse(json)).toEqual(input);
  await talk.answer(first, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  // The model uses its id again: the call gets another, of which nothing can be told before.
  house.model.answer([says(toolUse("toolu_grow", "Read", input)), says("Again.")]);
  await talk.say("again");
  const second = await talk.prompt(2);
  expect(second.payload.toolCallId).not.toBe("toolu_grow");
  expect(pieces()).toHaveLength(grown.length);
  await talk.answer(second, { action: "deny" });
  expect(await talk.ended(2)).toBe("completed");
});

shows(
  "gateway:several-at-once",
  "calls made at once are asked about and ended each for itself",
  async () => {
    const talk = await house.talk();
    const ids = ["toolu_p1", "toolu_p2", "toolu_p3"];
    const fetches = ids.map((id, at) =>
      toolUse(id, "Read", { file_path: `/etc/hosts${at === 0 ? "" : `.${at}`}` }),
    );
    house.model.answer([says(...fetches), says("Read.")]);
    await talk.say("read them");
    const prompts = await Promise.all(ids.map((_id, at) => talk.prompt(at + 1)));
    expect(prompts.map(({ payload }) => payload.toolCallId).sort()).toEqual(ids);
    for (const prompt of prompts.toReversed()) {
      const deny = prompt.payload.toolCallId === "toolu_p2";
      await talk.answer(prompt, { action: deny ? "deny" : "approve" });
    }
    expect(await talk.ended()).toBe("completed");
    expect((await talk.result("toolu_p1")).ok).toBe(true);
    expect((await talk.result("toolu_p2")).error?.code).toBe("tool_denied");
  },
);

test("what a sub-agent wants to do is asked about, inside the call that started it", async () => {
  const talk = await house.talk();
  house.model.answer((request) => {
    const { results, text } = latest(request);
    if (results.some(({ toolUseId }) => toolUseId === "toolu_task")) return says("All done.");
    if (results.some(({ toolUseId }) => toolUseId === "toolu_sub")) return says("Sub done.");
    if (text.includes("make the sub folder")) {
      return says(toolUse("toolu_sub", "Bash", { command: "mkdir sub" }));
    }
    const input = {
      description: "make it",
      prompt: "make the sub folder",
      subagent_type: "general-purpose",
      run_in_background: false,
    };
    return says(toolUse("toolu_task", "Task", input));
  });
  await talk.say("delegate");
  const request = await talk.client.event(
    "interaction_request",
    (payload) => payload.toolCallId === "toolu_sub",
  );
  await talk.answer(request, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect(existsSync(join(house.work, "sub"))).toBe(true);
  expect((await talk.result("toolu_sub")).ok).toBe(true);
  const made = await talk.client.event("tool_call", ({ toolCallId }) => toolCallId === "toolu_sub");
  expect(made.payload.parentCallId).toBe("toolu_task");
});

test("a sub-agent in the background is not done before it has worked", async () => {
  const talk = await house.talk();
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  house.model.answer(async (request) => {
    const { results, text } = latest(request);
    if (text.includes("count the back doors")) {
      await held;
      return says("There are three.");
    }
    if (results.length > 0) return says("It works on it.");
    if (!text.includes("delegate this")) return says("Three, then.");
    const input = {
      description: "count",
      prompt: "count the back doors",
      subagent_type: "general-purpose",
      run_in_background: true,
    };
    return says(toolUse("toolu_back", "Task", input));
  });
  await talk.say("delegate this");
  await talk.client.event("text", ({ text }) => text === "It works on it.");
  expect(talk.types()).not.toContain("tool_result");
  go();
  expect(await talk.result("toolu_back")).toMatchObject({ ok: true, result: "There are three." });
  expect(await talk.ended()).toBe("completed");
});

test("a cancelled turn withdraws its prompt, and the session can be used again", async () => {
  const talk = await house.talk();
  house.model.answer([says(toolUse("toolu_c1", "Bash", { command: "mkdir never" })), says("Yes?")]);
  await talk.say("go");
  const request = await talk.prompt();
  await talk.client.ask({ type: "cancel", sessionId: talk.sessionId });
  expect(await talk.ended()).toBe("cancelled");
  const closed = await talk.client.event("interaction_closed");
  expect(closed.payload).toMatchObject({
    interactionId: request.payload.interactionId,
    reason: "cancelled",
  });
  await talk.say("still there?");
  expect(await talk.ended(2)).toBe("completed");
  expect(existsSync(join(house.work, "never"))).toBe(false);
});

test("a message that steers joins the running turn", async () => {
  const talk = await house.talk();
  house.model.answer([
    says(toolUse("toolu_st1", "Bash", { command: "mkdir steered" })),
    says("First part."),
    says("As you wish, in red."),
  ]);
  await talk.say("paint it");
  const request = await talk.prompt();
  await talk.say("in red, please", { delivery: "steer" });
  await talk.answer(request, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect(talk.types().filter((type) => type === "turn_start")).toHaveLength(1);
  expect(JSON.stringify(house.model.requests)).toContain("in red, please");
});

test("a change of the mode holds for the running turn", async () => {
  const talk = await house.talk();
  const write = (id: string, name: string) =>
    says(toolUse(id, "Write", { file_path: join(house.work, name), content: "x" }));
  house.model.answer([write("toolu_m1", "m1.txt"), write("toolu_m2", "m2.txt"), says("Done.")]);
  await talk.say("write two");
  const request = await talk.prompt();
  await house.api("PATCH", `/sessions/${talk.sessionId}`, { permissionMode: "acceptEdits" });
  await talk.answer(request, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect(existsSync(join(house.work, "m2.txt"))).toBe(true);
  expect(talk.types().filter((type) => type === "interaction_request")).toHaveLength(1);
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
  house.model.answer([overloaded(), says("Here I am.")]);
  await talk.say("and now?");
  expect(await talk.ended(2)).toBe("completed");
});

test("ten sessions at once each get their own answers", async () => {
  house.model.answer((request) => {
    const said = JSON.stringify(request.messages);
    const number = /number (\d+)/.exec(said)?.[1] ?? "";
    if (latest(request).results.length > 0) return says(`Done ${number}.`);
    return says(toolUse(`toolu_ten${number}`, "Bash", { command: `mkdir ten${number}` }));
  });
  const talks = await Promise.all(Array.from({ length: 10 }, () => house.talk()));
  await Promise.all(
    talks.map(async (talk, at) => {
      await talk.say(`I am number ${at}`);
      const request = await talk.prompt();
      expect(request.payload.toolInput).toEqual({ command: `mkdir ten${at}` });
      await talk.answer(request, { action: at % 2 === 0 ? "approve" : "deny" });
      expect(await talk.ended()).toBe("completed");
      expect(existsSync(join(house.work, `ten${at}`))).toBe(at % 2 === 0);
    }),
  );
});

test("a plan is reviewed, and who accepts it has left the planning, in the way that they chose", async () => {
  const talk = await house.talk({ permissionMode: "plan" });
  const plan = "# Paint\n\n1. Paint it\n2. Dry it";
  const path = join(house.work, "painted");
  house.model.answer((request) => {
    const { results, text } = latest(request);
    const [last] = results.map(({ toolUseId }) => toolUseId).slice(-1);
    // Where a plan is kept, Claude Code tells its model.
    const [file = ""] = /\/[\w./-]+\/plans\/[\w-]+\.md/.exec(JSON.stringify(request)) ?? [];
    if (last === "toolu_file") return says(toolUse("toolu_plan", "ExitPlanMode", {}));
    if (last === "toolu_plan") {
      return says(toolUse("toolu_paint", "Write", { file_path: path, content: "red" }));
    }
    if (results.length > 0 || text.includes("what now")) return says("Done.");
    return says(toolUse("toolu_file", "Write", { file_path: file, content: plan }));
  });
  await talk.say("make a plan");
  const request = await talk.prompt();
  expect(request.payload).toMatchObject({
    interactionType: "approval",
    kind: "plan",
    prompt: plan,
    approvalOptions: [
      { id: "ask", decision: "approve" },
      { id: "edits", decision: "approve" },
      { id: "keep", decision: "deny" },
    ],
  });
  await talk.answer(request, { action: "approve", optionId: "edits" });
  expect(await talk.ended()).toBe("completed");
  expect((await talk.result("toolu_plan")).ok).toBe(true);
  expect(existsSync(path)).toBe(true);
  const mode = async () =>
    (await house.api("GET", `/sessions/${talk.sessionId}`)).body.permissionMode;
  expect(await mode()).toBe("acceptEdits");
  await talk.say("what now");
  expect(await talk.ended(2)).toBe("completed");
  expect(await mode()).toBe("acceptEdits");
  expect(talk.types().filter((type) => type === "interaction_request")).toHaveLength(1);
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
  const sent = JSON.stringify(house.model.requests.at(-1)?.messages);
  expect(sent).toContain("comes from a program");
  expect(sent).toContain("> The build is red.");
});

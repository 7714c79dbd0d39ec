import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { shows } from "../../support/shows.ts";
import { ClaudeHouse } from "./claude-house.ts";

let house: ClaudeHouse;
beforeAll(async () => {
  house = await ClaudeHouse.open();
});
afterAll(() => house.close());

/** What the model was told about a call. */
function received(toolUseId: string) {
  const results = house.model.requests.flatMap((request) => latest(request).results);
  return results.find((one) => one.toolUseId === toolUseId);
}

shows("gateway:call-pauses", "an approved call runs, and the model gets its result", async () => {
  const talk = await house.talk();
  house.model.answer([
    says("I make a folder.", toolUse("toolu_a1", "Bash", { command: "mkdir one" })),
    says("Done."),
  ]);
  await talk.say("make a folder");
  const request = await talk.prompt();
  expect(request.payload).toMatchObject({
    toolCallId: "toolu_a1",
    toolName: "Bash",
    interactionType: "approval",
    toolInput: { command: "mkdir one" },
    approvalScopes: ["once", "session", "always"],
    editable: true,
    context: { cwd: house.work, blockedPath: join(house.work, "one") },
  });
  expect(existsSync(join(house.work, "one"))).toBe(false);
  await talk.answer(request, { action: "approve" });
  expect(await talk.result("toolu_a1")).toMatchObject({
    ok: true,
    authorizedBy: `interaction:${request.payload.interactionId}`,
  });
  expect(await talk.ended()).toBe("completed");
  expect(existsSync(join(house.work, "one"))).toBe(true);
  expect(talk.types()).toEqual([
    "user_message",
    "turn_start",
    "text",
    "tool_call",
    "interaction_pending",
    "interaction_request",
    "interaction_response",
    "interaction_pending",
    "tool_result",
    "text",
    "turn_end",
  ]);
});

shows(
  "gateway:denied",
  "a denied call does not run, and the model reads the person's reason",
  async () => {
    const talk = await house.talk();
    house.model.answer([
      says(toolUse("toolu_d1", "Bash", { command: "mkdir two" })),
      says(toolUse("toolu_d2", "Bash", { command: "mkdir two" })),
      says("I see."),
    ]);
    await talk.say("make a folder");
    await talk.answer(await talk.prompt(), { action: "deny", reason: "Use the other disk." });
    await talk.answer(await talk.prompt(2), { action: "deny" });
    expect(await talk.ended()).toBe("completed");
    expect(received("toolu_d1")).toMatchObject({
      text: expect.stringContaining("Use the other disk."),
      isError: true,
    });
    expect(received("toolu_d2")?.text).toContain("The user denied this tool call.");
    expect(await talk.result("toolu_d1")).toMatchObject({
      ok: false,
      error: { code: "tool_denied", message: expect.stringContaining("Use the other disk.") },
    });
    expect(existsSync(join(house.work, "two"))).toBe(false);
  },
);

shows(
  "gateway:withdrawn",
  "a call whose prompt is withdrawn does not run, and the model reads that nobody decided",
  async () => {
    const talk = await house.talk();
    house.model.answer([
      says(toolUse("toolu_w1", "Bash", { command: "mkdir withdrawn" })),
      says("I see."),
    ]);
    await talk.say("make a folder");
    const { interactionId } = (await talk.prompt()).payload;
    const reply = await house.api("POST", `/interactions/${interactionId}/cancel`);
    expect(reply.status).toBe(200);
    expect(await talk.ended()).toBe("completed");
    expect(received("toolu_w1")).toMatchObject({
      text: expect.stringContaining("withdrawn before anybody answered"),
      isError: true,
    });
    expect(received("toolu_w1")?.text).not.toMatch(/denied/i);
    const closed = await talk.client.event("interaction_closed");
    expect(closed.payload).toMatchObject({ interactionId, reason: "cancelled" });
    expect(existsSync(join(house.work, "withdrawn"))).toBe(false);
  },
);

test("deny and stop ends the turn, the model hears nothing, and the next message goes on", async () => {
  const talk = await house.talk();
  const before = house.model.requests.length;
  house.model.answer([says(toolUse("toolu_s1", "Bash", { command: "mkdir three" })), says("Yes?")]);
  await talk.say("make a folder");
  await talk.answer(await talk.prompt(), { action: "deny", reason: "Enough.", stop: true });
  expect(await talk.ended()).toBe("cancelled");
  expect(house.model.requests).toHaveLength(before + 1);
  await talk.say("still there?");
  expect(await talk.ended(2)).toBe("completed");
  expect(house.model.requests).toHaveLength(before + 2);
  expect(latest(house.model.requests.at(-1)!).text).toContain("still there?");
  expect(JSON.stringify(house.model.requests.at(-1)?.messages)).toContain("make a folder");
});

test("what runs is what the person made of it", async () => {
  const talk = await house.talk();
  const path = join(house.work, "note.txt");
  house.model.answer([
    says(toolUse("toolu_e1", "Write", { file_path: path, content: "asked" })),
    says("Written."),
  ]);
  await talk.say("write a note");
  const request = await talk.prompt();
  const updatedInput = { file_path: path, content: "edited" };
  await talk.answer(request, { action: "approve", updatedInput });
  expect(await talk.ended()).toBe("completed");
  expect(readFileSync(path, "utf8")).toBe("edited");
});

test("an approval for the session is asked for once there, and again in another", async () => {
  const talk = await house.talk();
  const script = (prefix: string) => [
    says(toolUse(`${prefix}1`, "Bash", { command: "touch a.txt" })),
    says(toolUse(`${prefix}2`, "Bash", { command: "touch a.txt" })),
    says("Done."),
  ];
  house.model.answer(script("toolu_ss"));
  await talk.say("touch it twice");
  await talk.answer(await talk.prompt(), { action: "approve", approvalScope: "session" });
  expect(await talk.ended()).toBe("completed");
  expect(await talk.result("toolu_ss2")).toMatchObject({
    ok: true,
    authorizedBy: expect.stringMatching(/^grant:/),
  });
  house.model.answer(script("toolu_st"));
  await talk.say("and in the next turn");
  expect(await talk.ended(2)).toBe("completed");
  expect(talk.types().filter((type) => type === "interaction_request")).toHaveLength(1);
  const other = await house.talk();
  house.model.answer(script("toolu_so"));
  await other.say("touch it twice");
  await other.answer(await other.prompt(), { action: "approve", approvalScope: "session" });
  expect(await other.ended()).toBe("completed");
});

test("an approval for always holds in every session until it is revoked", async () => {
  const talk = await house.talk();
  const script = (id: string) => [
    says(toolUse(id, "Bash", { command: "touch always.txt" })),
    says("Done."),
  ];
  house.model.answer(script("toolu_al1"));
  await talk.say("touch it");
  const request = await talk.prompt();
  expect(request.payload["approvalCovers"]).toMatchObject({
    always: [expect.stringContaining("touch always.txt")],
  });
  await talk.answer(request, { action: "approve", approvalScope: "always" });
  expect(await talk.ended()).toBe("completed");
  const other = await house.talk();
  house.model.answer(script("toolu_al2"));
  await other.say("touch it");
  expect(await other.ended()).toBe("completed");
  expect(other.types()).not.toContain("interaction_request");
  const { grants } = (await house.api("GET", "/grants")).body;
  const grant = grants.find(({ scope }: { scope: string }) => scope === "always");
  expect((await house.api("DELETE", `/grants/${grant.id}`)).status).toBe(200);
  house.model.answer(script("toolu_al3"));
  await other.say("again");
  await other.answer(await other.prompt(), { action: "approve" });
  expect(await other.ended(2)).toBe("completed");
});

test("bypassPermissions asks nothing but questions", async () => {
  const talk = await house.talk({ permissionMode: "bypassPermissions" });
  house.model.answer([
    says(toolUse("toolu_b1", "Bash", { command: "mkdir bypassed" })),
    says(
      toolUse("toolu_b2", "AskUserQuestion", {
        questions: [
          {
            header: "Colour",
            question: "Which?",
            multiSelect: false,
            options: [
              { label: "Red", description: "" },
              { label: "Blue", description: "" },
            ],
          },
        ],
      }),
    ),
    says("Done."),
  ]);
  await talk.say("go");
  const request = await talk.prompt();
  expect(request.payload.questions).toHaveLength(1);
  expect(existsSync(join(house.work, "bypassed"))).toBe(true);
  await talk.answer(request, { action: "submit", input: { answers: { "0": "Blue" } } });
  expect(await talk.ended()).toBe("completed");
  expect(received("toolu_b2")?.text).toContain('"Which?"="Blue"');
});

test("calls that the SDK lets run by itself are shown, and nobody is asked", async () => {
  const talk = await house.talk();
  house.model.answer([says(toolUse("toolu_n1", "Bash", { command: "echo hello" })), says("Said.")]);
  await talk.say("say hello");
  expect(await talk.ended()).toBe("completed");
  expect(await talk.result("toolu_n1")).toMatchObject({ ok: true, authorizedBy: "runtime" });
  expect(talk.types()).not.toContain("interaction_request");
});

test("who lets Claude write files has not let it write its own settings", async () => {
  const talk = await house.talk();
  const settings = join(house.work, ".claude", "settings.json");
  const write = (id: string, file_path: string) =>
    says(toolUse(id, "Write", { file_path, content: "{}" }));
  house.model.answer([
    write("toolu_own1", join(house.work, "own1.txt")),
    write("toolu_own2", join(house.work, "own2.txt")),
    write("toolu_own3", settings),
    says("Done."),
  ]);
  await talk.say("write");
  await talk.answer(await talk.prompt(), { action: "approve", approvalScope: "session" });
  const second = await Promise.race([talk.prompt(2), talk.ended()]);
  expect(second).toMatchObject({
    payload: { toolInput: { file_path: settings }, approvalScopes: ["once"] },
  });
  await talk.answer(await talk.prompt(2), { action: "deny" });
  expect(await talk.ended()).toBe("completed");
  expect(existsSync(join(house.work, "own2.txt"))).toBe(true);
  expect(existsSync(settings)).toBe(false);
});

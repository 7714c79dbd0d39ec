import { afterAll, beforeAll, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { checkLog } from "../../scenarios/always-true.ts";
import { ClaudeHouse } from "./claude-house.ts";
import type { Talk } from "../talk.ts";

/* The real Claude runs commands that ask here, and that do not know which call runs them. */

let house: ClaudeHouse;
beforeAll(async () => {
  house = await ClaudeHouse.open();
  await house.beckon.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => house.close());

const CURL = `curl -s -H "Authorization: Bearer $BECKON_TOKEN" -H "Content-Type: application/json"`;
const ASK = `${CURL} $BECKON_URL/api/interactions -d '{"type":"approval","prompt":"Which colour?"}'`;
const ID = `node -pe 'JSON.parse(fs.readFileSync(0)).id'`;
const WAIT = `${CURL} "$BECKON_URL/api/interactions/$ID?wait=60"`;
const STATUS = `node -pe 'JSON.parse(fs.readFileSync(0)).status'`;
const COMMAND = `ID=$(${ASK} | ${ID}); ${WAIT} | ${STATUS}`;

async function logOf({ sessionId }: Talk) {
  const { body } = await house.api("GET", `/sessions/${sessionId}/events`);
  checkLog(body.events);
  return body.events as { type: string; turnId?: string; payload: { toolCallId: string } }[];
}

test.each([
  ["over HTTP", "toolu_r1", COMMAND],
  ["by the command beckon", "toolu_r2", `beckon confirm "Which colour?" && echo answered`],
])("what Claude's Bash asks %s stands in the block of that call", async (_how, id, command) => {
  const talk = await house.talk({ permissionMode: "bypassPermissions" });
  house.model.answer([says(toolUse(id, "Bash", { command })), says("Done.")]);
  await talk.say("ask somebody");
  const request = await talk.prompt();
  const call = await talk.client.event("tool_call");
  expect(request).toMatchObject({
    turnId: call.turnId,
    responseId: call.responseId,
    payload: { toolCallId: id, prompt: "Which colour?", anchored: true },
  });
  await talk.answer(request, { action: "approve" });
  expect(await talk.result(id)).toMatchObject({
    ok: true,
    result: expect.stringMatching(/answered$/),
  });
  expect(await talk.ended()).toBe("completed");
  const log = await logOf(talk);
  expect(log.filter(({ type }) => type === "tool_call")).toHaveLength(1);
});

test("of two equal commands of Claude's one asks, and neither is taken for it", async () => {
  const talk = await house.talk({ permissionMode: "bypassPermissions" });
  const command = `if mkdir first; then ${COMMAND}; fi`;
  house.model.answer([
    says(toolUse("toolu_e1", "Bash", { command }), toolUse("toolu_e2", "Bash", { command })),
    says("Done."),
  ]);
  await talk.say("ask somebody");
  const request = await talk.prompt();
  expect(["toolu_e1", "toolu_e2"]).not.toContain(request.payload.toolCallId);
  expect(request.turnId).toBeUndefined();
  await talk.answer(request, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  const log = await logOf(talk);
  expect(log.filter(({ type }) => type === "tool_call")).toHaveLength(3);
});

test("who allows `beckon confirm` for the session is asked only the question of each later one", async () => {
  const talk = await house.talk();
  // It could ask in any session that its token may read, so a person has to allow it.
  const commandFor = (question: string) =>
    `beckon confirm "${question}" --session ${talk.sessionId}`;
  const ask = (id: string, question: string) =>
    says(toolUse(id, "Bash", { command: commandFor(question) }));
  house.model.answer([ask("toolu_o1", "Red?"), ask("toolu_o2", "Blue?"), says("Done.")]);
  await talk.say("ask twice");
  const run = await talk.prompt(1);
  expect(run.payload).toMatchObject({
    toolName: "Bash",
    toolInput: { command: commandFor("Red?") },
    approvalCovers: { session: [expect.stringContaining("Bash(beckon confirm *)")] },
  });
  await talk.answer(run, { action: "approve", approvalScope: "session" });
  for (const [nth, id, prompt] of [
    [2, "toolu_o1", "Red?"],
    [3, "toolu_o2", "Blue?"],
  ] as const) {
    const request = await talk.prompt(nth);
    expect(request.payload).toMatchObject({ toolCallId: id, prompt, anchored: true });
    await talk.answer(request, { action: "approve" });
  }
  expect(await talk.ended()).toBe("completed");
});

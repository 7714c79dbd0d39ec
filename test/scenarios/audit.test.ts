import { join } from "node:path";
import { expect, test } from "vitest";
import { Database } from "../../src/store/sqlite/database.ts";
import { askingTool } from "./tools.ts";
import { World } from "./world.ts";

const ask = askingTool("ask", () => ({
  type: "approval",
  prompt: "Go on?",
  onResponse: ({ action }) => ({ complete: action }),
}));

/** What the log keeps of each event and sends to nobody. */
function kept(world: World, sessionId: string): { type: string; actor: unknown; audit: any }[] {
  const database = new Database(join(world.directory, "beckon.db"), 1_000);
  const rows = database.all("SELECT * FROM events WHERE session_id = ? ORDER BY seq", sessionId);
  database.close();
  return rows.map((row) => ({
    type: String(row["type"]),
    actor: row["actor_id"],
    audit: row["audit"] === null ? null : JSON.parse(String(row["audit"])),
  }));
}

test("the log keeps who said, answered, called and cancelled what", async () => {
  await using world = await World.start({ tools: [ask] });
  const { session, client } = await world.conversation();
  await client.say(session.id, "/call ask {}");
  await client.answer(await client.event("interaction_request"), { action: "approve" });
  await client.event("turn_end");
  await client.say(session.id, "/call ask {}");
  await client.event("interaction_request", 2);
  await client.ask({ type: "cancel", sessionId: session.id });
  await client.event("turn_end", 2);

  const caused = kept(world, session.id).filter(({ actor }) => actor !== null);
  expect(caused.map(({ type }) => type)).toEqual([
    "user_message",
    "interaction_response",
    "user_message",
    "interaction_closed",
    "interaction_pending",
    "tool_result",
    "turn_end",
  ]);
  expect(new Set(caused.map(({ actor }) => actor))).toEqual(new Set(["owner"]));
});

test("a machine's own call, and whoever deletes a session, are named", async () => {
  await using world = await World.start({ tools: [ask] });
  const { session, client } = await world.conversation();
  const who = await world.credentials.authenticate(await world.machine(session.id));
  const called = world.node.core.callTool(who!, {
    sessionId: session.id,
    toolName: "ask",
    input: {},
    origin: "http",
  });
  await client.event("interaction_request");
  expect((await world.http("DELETE", `/api/sessions/${session.id}`)).status).toBe(200);
  expect(await called).toMatchObject({ ok: false });
  const [call, ...rest] = kept(world, session.id).filter(({ actor }) => actor !== null);
  expect(call).toMatchObject({ type: "tool_call", actor: who?.principalId });
  expect(rest.map(({ type, actor }) => [type, actor])).toEqual([
    ["interaction_closed", "owner"],
    ["interaction_pending", "owner"],
    ["tool_result", "owner"],
  ]);
});

test("an answer over HTTP is kept with its credential, and no client or reader is told", async () => {
  await using world = await World.start({ tools: [ask] });
  const { session, client } = await world.conversation();
  await client.say(session.id, "/call ask {}");
  const { payload } = await client.event("interaction_request");
  const path = `/api/interactions/${payload.interactionId}/respond`;
  const replied = await world.http("POST", path, { action: "deny" });
  await client.event("turn_end");
  const { audit } = kept(world, session.id).find(({ type }) => type === "interaction_response")!;
  const who = await world.credentials.authenticate(world.owner);
  expect(audit).toEqual({
    principalId: "owner",
    tokenId: who?.tokenId,
    via: "http",
    shownDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    actionDigest: (await world.interaction(payload.interactionId)).actionDigest,
  });
  const told = JSON.stringify([client.frames, await world.log(session.id), replied.body]);
  expect(told).not.toContain(audit.shownDigest);
  expect(told).not.toContain(audit.tokenId);
});

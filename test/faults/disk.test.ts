import { describe, expect, test } from "vitest";
import { checkLog } from "../scenarios/always-true.ts";
import { askingTool, Gate, submit, VALUE_FORM } from "../scenarios/tools.ts";
import { World } from "../scenarios/world.ts";
import { FAULTS } from "./broken-disk.ts";

const PATIENCE_MS = 100;
const HEARTBEAT_MS = 5_000;
/** Larger than the room that a full page may still have. */
const LONG = "x".repeat(60_000);

const hook = new Gate();
const asked = askingTool("t_value", () => ({
  type: "input",
  inputSchema: VALUE_FORM,
  timeoutMs: null,
  onResponse: ({ input }) => ({ complete: String(input?.["value"]).length }),
}));
const slow = askingTool("t_slow", () => ({
  type: "approval",
  timeoutMs: null,
  async onResponse({ action }) {
    await hook.pass();
    return { complete: { action, LONG } };
  },
}));
const brief = askingTool("t_brief", () => ({
  type: "approval",
  timeoutMs: 30_000,
  onResponse: ({ action }) => ({ complete: action }),
}));

async function start(): Promise<World> {
  hook.reset();
  const tools = [asked, slow, brief];
  return World.start({ tools, latency: false, patienceMs: PATIENCE_MS });
}

describe.each(FAULTS)("a disk that is $name", ({ name, begin }) => {
  test("refuses answers, keeps the prompt, and takes the same answer once when it is well", async () => {
    await using world = await start();
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call t_value {}");
    const request = await client.event("interaction_request");
    const before = await world.log(session.id);
    const repair = await begin(world);

    const path = `/api/interactions/${request.payload.interactionId}`;
    const answer = { responseId: "the-answer", ...submit(LONG) };
    const refused = await world.http("POST", `${path}/respond`, answer);
    expect(refused).toMatchObject({ status: 503, body: { code: "store_unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await client.answer(request, answer)).toMatchObject({
      type: "interaction_result",
      ok: false,
      code: "store_unavailable",
      responseId: "the-answer",
    });
    expect(await client.say(session.id, LONG)).toMatchObject({
      type: "error",
      code: "store_unavailable",
    });
    const messages = `/api/sessions/${session.id}/messages`;
    expect((await world.http("POST", messages, { content: LONG })).status).toBe(503);

    const sick = await world.http("GET", "/api/health");
    expect(sick).toMatchObject({ status: 503, body: { ok: false, code: "store_unavailable" } });
    expect(await world.log(session.id)).toEqual(before);
    expect((await world.http("GET", path)).body.status).toBe("pending");
    expect((await world.http("GET", "/api/interactions")).body.interactions).toHaveLength(1);

    await repair();
    expect(await world.http("GET", "/api/health?deep=1")).toMatchObject({ status: 200 });
    expect(await world.http("GET", "/api/health")).toMatchObject({ status: 200 });
    const replies = await Promise.all([
      client.answer(request, answer),
      client.answer(request, answer),
      world.http("POST", `${path}/respond`, answer),
    ]);
    expect(replies).toMatchObject([{ ok: true }, { ok: true }, { status: 200 }]);
    expect((await client.event("tool_result")).payload.result).toBe(LONG.length);
    await client.event("turn_end");
    const log = await world.log(session.id);
    checkLog(log);
    expect(log.filter(({ type }) => type === "interaction_response")).toHaveLength(1);
  });

  test("holds up a run whose hook is done, and it goes on by itself when the disk is well", async () => {
    await using world = await start();
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call t_slow {}");
    await client.answer(await client.event("interaction_request"), { action: "approve" });
    await hook.reached;
    const repair = await begin(world);
    hook.open();
    const health = async () => (await world.http("GET", "/api/health")).status;
    await expect.poll(health).toBe(503);
    const types = (await world.log(session.id)).map(({ type }) => type);
    expect(types).not.toContain("tool_result");
    await repair();
    const typesLater = async () => {
      await world.advance(HEARTBEAT_MS);
      return (await world.log(session.id)).map(({ type }) => type);
    };
    await expect.poll(typesLater).toContain("turn_end");
    const log = await world.log(session.id);
    checkLog(log);
    const result = log.find((event) => event.type === "tool_result");
    expect(result?.payload).toMatchObject({ ok: true, result: { action: "approve" } });
  });

  test("keeps deadlines and queued turns waiting, and both are caught up with", async () => {
    await using world = await start();
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call t_brief {}");
    const request = await client.event("interaction_request");
    await client.say(session.id, `the next turn ${LONG}`);
    const repair = await begin(world);
    await world.advance(40_000);
    // Where a page of a full file still has room, a short write goes through, and that is fine.
    const { status } = await world.interaction(request.payload.interactionId);
    if (name !== "full") expect(status).toBe("open");
    await repair();
    const turnsLater = async () => {
      await world.advance(HEARTBEAT_MS);
      return (await world.log(session.id)).filter(({ type }) => type === "turn_end").length;
    };
    await expect.poll(turnsLater).toBe(2);
    const log = await world.log(session.id);
    checkLog(log);
    expect(log.find((event) => event.type === "tool_result")?.payload.error?.code).toBe(
      "interaction_timeout",
    );
  });
});

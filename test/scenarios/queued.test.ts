import { expect } from "vitest";
import { defineTool, type UserResponse } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { story } from "./story.ts";
import { callTool, operate } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";

const MESSAGE = "Nobody was there.";
const HOUR = 3_600_000;
const heard: UserResponse[] = [];

/** Gives up after five seconds; `queued` says whether a late answer is still wanted. */
const deploy = (durable: "replay" | "orphan") =>
  defineTool<{ queued?: boolean; early?: boolean }>({
    name: `deploy_${durable}`,
    description: "Asks whether to deploy",
    durable,
    parameters: { type: "object" },
    async handler({ queued, early }, ctx) {
      const pending = { message: MESSAGE, ...(queued === undefined ? {} : { queued }) };
      const action = await ctx.requestInteraction({
        type: "approval",
        prompt: "Deploy?",
        timeoutMs: 5_000,
        onResponse(response) {
          heard.push(response);
          if (response.reason === "again") return { reprompt: { type: "approval", error: "So?" } };
          return early ? { pending } : { complete: response.action };
        },
        onTimeout: () => ({ pending }),
      });
      return { action, done: await ctx.step("deploy", () => action === "approve") };
    },
  });
const tools = [deploy("replay"), deploy("orphan")];
const REPLAY = "deploy_replay";

inEveryMode(
  "pending that is not queued ends the call, closes the prompt, and no message follows",
  { tools },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, REPLAY, { queued: false });
    const request = await turn.request();
    await world.advance(5_000);
    expect((await turn.result()).payload).toMatchObject({
      ok: true,
      result: { pending: true, message: MESSAGE },
    });
    expect((await turn.result()).payload.result).not.toHaveProperty("queued");
    expect((await client.event("interaction_closed")).payload.reason).toBe("timed_out");
    await turn.end();
    const late = await client.answer(request, { action: "approve" });
    expect(late).toMatchObject({ ok: false, code: "interaction_closed" });
    expect((await world.http("GET", "/api/interactions")).body.interactions).toEqual([]);
    const log = await world.log(session.id);
    expect(log.filter(({ type }) => type === "user_message")).toHaveLength(1);
    checkLog(log);
  },
);

inEveryMode(
  "pending from onResponse that is not queued says so to the agent",
  { tools },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, REPLAY, { queued: false, early: true });
    await client.answer(await turn.request(), { action: "approve" });
    const { result } = (await turn.result()).payload;
    expect(result).toEqual({ pending: true, message: MESSAGE });
    await turn.end();
    checkLog(await world.log(session.id));
  },
);

for (const tool of ["deploy_replay", "deploy_orphan"]) {
  for (const body of [{ action: "approve" }, { action: "deny", reason: "Not today" }]) {
    inEveryMode(
      `a late ${body.action} of a queued prompt is given to the call that is made again: ${tool}`,
      { tools },
      async (world) => {
        heard.length = 0;
        let { session, client } = await world.conversation();
        const first = await callTool(client, session.id, tool);
        const request = await first.request();
        await world.advance(5_000);
        await first.end();
        await client.answer(request, body);
        await client.event("turn_end", 2);
        await world.crash();
        client = await world.person();
        await client.subscribe(session.id);
        const again = await callTool(client, session.id, tool);
        const { result } = (await again.result()).payload;
        expect(result).toEqual({ action: body.action, done: body.action === "approve" });
        await again.end();
        expect(heard).toMatchObject([body]);
        const log = await world.log(session.id);
        expect(log.filter(({ type }) => type === "interaction_request")).toHaveLength(1);
        checkLog(log);

        // It is good once.
        const third = await callTool(client, session.id, tool);
        await third.request();
      },
    );
  }
}

inEveryMode(
  "a late approval is also given to somebody else who makes the same call in that session",
  { tools },
  async (world) => {
    heard.length = 0;
    const { session, client } = await world.conversation();
    const first = await callTool(client, session.id, REPLAY);
    const request = await first.request();
    await world.advance(5_000);
    await first.end();
    await client.answer(request, { action: "approve" });
    await client.event("turn_end", 2);
    const again = await operate(world, session.id, REPLAY);
    expect(again.body).toMatchObject({ ok: true, result: { action: "approve", done: true } });
    expect(heard).toHaveLength(1);
  },
);

inEveryMode(
  "a queued answer that led to another question is not asked for again after a restart",
  { tools },
  async (world) => {
    heard.length = 0;
    let { session, client } = await world.conversation();
    const first = await callTool(client, session.id, REPLAY);
    const request = await first.request();
    await world.advance(5_000);
    await first.end();
    await client.answer(request, { action: "approve", reason: "again" });
    await client.event("turn_end", 2);
    const again = await callTool(client, session.id, REPLAY);
    await again.request(2);
    await world.crash();
    client = await world.person();
    await client.subscribe(session.id);
    const next = await client.event("interaction_request", (one) => one.attempt === 2);
    expect(next.payload.error).toBe("So?");
    await client.answer(next, { action: "approve" });
    const done = await client.event("tool_result", 2);
    expect(done.payload.result).toEqual({ action: "approve", done: true });
    expect(heard).toHaveLength(2);
    checkLog(await world.log(session.id));
  },
);

inEveryMode(
  "a queued prompt that is still open gives way to the call that is made again; an old answer does not count",
  { tools },
  async (world) => {
    const { session, client } = await world.conversation();
    const first = await callTool(client, session.id, REPLAY);
    const request = await first.request();
    await world.advance(5_000);
    await first.end();
    const again = await callTool(client, session.id, REPLAY);
    const asked = await again.request();
    const closed = await client.event("interaction_closed");
    expect(closed.payload).toMatchObject({
      interactionId: request.payload.interactionId,
      reason: "superseded",
    });
    await world.advance(5_000);
    await again.end();
    await client.answer(asked, { action: "approve" });
    await client.event("turn_end", 3);
    world.clock.jump(2 * HOUR + 1);
    const third = await callTool(client, session.id, REPLAY);
    await third.request();
    expect(
      (await story(world, session.id)).filter((one) => one.includes("superseded")),
    ).toHaveLength(1);
  },
);

import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { guarded } from "./guarded-tool.ts";
import { callTool, operate } from "./turns.ts";
import { verifies } from "./verifies.ts";

const ON = { interaction: { supported: true, enabled: true } };

const echo = defineTool<{ text: string }>({
  name: "t_echo",
  description: "Gives back what it got",
  durable: "replay",
  parameters: { type: "object" },
  handler: ({ text }) => text,
});

const waiting = defineTool<{ wait?: boolean }>({
  name: "t_waiting",
  description: "Asks, and waits for somebody if told so",
  durable: "replay",
  parameters: { type: "object" },
  handler: ({ wait }, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      whenUnavailable: wait ? "wait" : "throw",
      onResponse: ({ action }) => ({ complete: action }),
    }),
});

verifies(
  [],
  "a machine asks and reads what is its own; everything that decides needs a person",
  { tools: [guarded("t_work"), echo] },
  async (world) => {
    const { session, client } = await world.conversation();
    const bound = { authorization: `Bearer ${await world.machine(session.id)}` };
    const free = { authorization: `Bearer ${await world.machine()}` };

    const path = `/api/sessions/${session.id}`;
    expect((await world.http("GET", path, undefined, bound)).status).toBe(200);
    expect((await world.http("GET", `${path}/events`, undefined, bound)).status).toBe(200);
    const said = await world.http("POST", `${path}/messages`, { content: "hello" }, bound);
    expect(said.status).toBe(202);
    await client.event("turn_end");
    const operation = "/api/plugins/t/operations/echo";
    const echoed = await world.http("POST", operation, { text: "hi" }, bound);
    expect(echoed.body).toEqual({ ok: true, result: "hi" });

    const made = await world.http("POST", "/api/sessions", { title: "Mine" }, free);
    expect(made.status).toBe(201);
    const listed = await world.http("GET", "/api/sessions", undefined, free);
    expect(listed.body.sessions).toMatchObject([{ id: made.body.id }]);

    const turn = await callTool(client, session.id, "t_work");
    const request = await turn.request();
    const log = await world.log(session.id);
    const interaction = `/api/interactions/${request.payload.interactionId}`;
    expect((await world.http("GET", interaction, undefined, bound)).status).toBe(200);
    const prompts = await world.http("GET", "/api/interactions", undefined, bound);
    expect(prompts.body.interactions).toHaveLength(1);

    const deciding: [string, string, unknown?][] = [
      ["POST", `${interaction}/respond`, { action: "approve" }],
      ["PATCH", path, { title: "Mine now" }],
      ["DELETE", path],
      ["GET", "/api/grants"],
      ["DELETE", "/api/grants/g1"],
      // Who may not decide does not learn what exists, nor what would be wrong with the body.
      ["POST", "/api/interactions/nothing/respond", { action: "dance" }],
    ];
    for (const [method, route, body] of deciding) {
      for (const machine of [bound, free]) {
        const reply = await world.http(method, route, body, machine);
        expect({ route, status: reply.status, code: reply.body.code }).toEqual({
          route,
          status: 403,
          code: "person_required",
        });
      }
    }
    const socket = await world.connect(bound.authorization.slice(7), ON);
    await socket.subscribe(session.id);
    const seen = await socket.event("interaction_request");
    expect(await socket.answer(seen, { action: "approve" })).toMatchObject({
      type: "interaction_result",
      ok: false,
      code: "person_required",
    });
    expect(await world.log(session.id)).toEqual(log);
    expect((await world.interaction(request.payload.interactionId)).status).toBe("open");
  },
);

verifies(
  "availability:people-only",
  "a machine never counts as there, whatever it says, and cannot answer",
  { tools: [waiting] },
  async (world) => {
    const session = await world.session();
    const machine = await world.connect(await world.machine(session.id), ON);
    await machine.subscribe(session.id);
    await machine.ask({ type: "set_interaction_mode", enabled: true });
    const alone = await operate(world, session.id, "t_waiting");
    expect(alone.body).toMatchObject({ ok: false, code: "interaction_unavailable" });
    const called = operate(world, session.id, "t_waiting", { wait: true });
    const request = await machine.event("interaction_request");
    const log = await world.log(session.id);
    expect(await machine.answer(request, { action: "approve" })).toMatchObject({
      type: "interaction_result",
      ok: false,
      code: "person_required",
    });
    expect(await world.log(session.id)).toEqual(log);
    const path = `/api/interactions/${request.payload.interactionId}/respond`;
    expect((await world.http("POST", path, { action: "deny" })).status).toBe(200);
    expect((await called).body).toEqual({ ok: true, result: "deny" });
  },
);

verifies(
  [],
  "what is not a machine's own does not exist for it, over HTTP and the socket",
  { tools: [guarded("t_work"), echo] },
  async (world) => {
    const { session, client } = await world.conversation();
    const own = await world.session();
    const turn = await callTool(client, session.id, "t_work");
    const { interactionId } = (await turn.request()).payload;
    for (const token of [await world.machine(own.id), await world.machine()]) {
      const machine = { authorization: `Bearer ${token}` };
      const foreign = { ...machine, "x-session-id": session.id };
      const routes: [string, string, unknown, string][] = [
        ["GET", `/api/sessions/${session.id}`, undefined, "session_not_found"],
        ["GET", `/api/sessions/${session.id}/events`, undefined, "session_not_found"],
        ["POST", `/api/sessions/${session.id}/messages`, { content: "x" }, "session_not_found"],
        ["POST", `/api/sessions/${session.id}/cancel`, {}, "session_not_found"],
        ["GET", `/api/interactions?sessionId=${session.id}`, undefined, "session_not_found"],
        ["GET", `/api/interactions/${interactionId}`, undefined, "interaction_not_found"],
        ["POST", "/api/plugins/t/operations/echo", { text: "x" }, "session_not_found"],
      ];
      for (const [method, route, body, code] of routes) {
        const reply = await world.http(method, route, body, foreign);
        expect({ route, status: reply.status, code: reply.body.code }).toEqual({
          route,
          status: 404,
          code,
        });
      }
      const { body } = await world.http("GET", "/api/interactions", undefined, machine);
      expect(body).toEqual({ interactions: [] });
      const socket = await world.connect(token);
      for (const frame of [
        { type: "subscribe" },
        { type: "user_message", text: "x" },
        { type: "cancel" },
      ]) {
        const reply = await socket.ask({ ...frame, sessionId: session.id });
        expect(reply).toMatchObject({ type: "error", code: "session_not_found" });
      }
      expect(await socket.ask({ type: "subscribe", inbox: true })).toMatchObject({
        type: "inbox",
        interactions: [],
      });
      await world.http("PATCH", `/api/sessions/${session.id}`, { title: `for ${token}` });
      await world.clock.settle();
      await socket.ask({ type: "ping" });
      expect(JSON.stringify(socket.frames)).not.toContain(`"session":{"id":"${session.id}"`);
    }
    expect((await world.interaction(interactionId)).status).toBe("open");
  },
);

verifies(
  [],
  "a token that is revoked has no power left, and its sockets are closed",
  { tools: [echo] },
  async (world) => {
    const session = await world.session();
    const holder = { kind: "person", name: "Guest" } as const;
    const { id, token } = await world.credentials.createToken({ holder });
    const guest = await world.connect(token, ON);
    const stays = await world.person();
    await guest.subscribe(session.id);
    const headers = { authorization: `Bearer ${token}` };
    expect((await world.http("GET", "/api/sessions", undefined, headers)).status).toBe(200);
    await world.credentials.revokeToken(id);
    expect(await world.http("GET", "/api/sessions", undefined, headers)).toMatchObject({
      status: 401,
      body: { code: "unauthorized" },
    });
    await world.advance(1_000);
    expect((await guest.untilClosed()).code).toBe(4001);
    await expect(world.connect(token, ON)).rejects.toThrow("401");
    expect((await stays.ask({ type: "ping" })).type).toBe("pong");
  },
);

import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { verifies } from "./verifies.ts";

const echo = defineTool<{ text: string }>({
  name: "outside_echo",
  description: "Says it again.",
  parameters: { type: "object" },
  durable: "replay",
  handler: ({ text }) => text,
});
const OPERATION = "/api/plugins/outside/operations/echo";

verifies(
  [],
  "what came by the command line says so in the log, and a door that there is not is refused",
  { tools: [echo] },
  async (world) => {
    const session = await world.session();
    const call = (origin: Record<string, string>) =>
      world.http("POST", OPERATION, { text: "hi" }, { "x-session-id": session.id, ...origin });
    const ask = (origin: Record<string, string>) =>
      world.http("POST", "/api/interactions", { type: "approval", sessionId: session.id }, origin);
    for (const send of [call, ask]) {
      expect((await send({})).status).toBeLessThan(300);
      expect((await send({ "x-origin": "cli" })).status).toBeLessThan(300);
      expect((await send({ "x-origin": "agent" })).body).toMatchObject({
        code: "invalid_request",
        issues: [{ path: "x-origin" }],
      });
    }
    const log = await world.log(session.id);
    const calls = log.flatMap((event) =>
      event.type === "tool_call" ? [event.payload.origin] : [],
    );
    expect(calls).toEqual(["http", "cli", "http", "cli"]);
  },
);

verifies(
  [],
  "a caller of no conversation calls in one of its own, the same for calls and prompts, and again",
  { tools: [echo] },
  async (world) => {
    const machine = { authorization: `Bearer ${await world.machine()}` };
    const call = (text: string, id: string) =>
      world.http(
        "POST",
        OPERATION,
        { text },
        { ...machine, "x-session-id": "own", "x-tool-call-id": id },
      );
    expect((await call("one", "a")).body).toEqual({ ok: true, result: "one" });
    expect((await call("one", "a")).body).toEqual({ ok: true, result: "one" });
    expect((await call("other", "a")).body).toMatchObject({ code: "request_changed" });
    expect((await call("two", "b")).body).toEqual({ ok: true, result: "two" });
    const asked = await world.http("POST", "/api/interactions", { type: "approval" }, machine);
    const { sessions } = (await world.http("GET", "/api/sessions", undefined, machine)).body;
    expect(sessions).toMatchObject([{ id: asked.body.sessionId, agent: "outside" }]);
    const log = await world.log(asked.body.sessionId);
    const calls = log.flatMap((event) => (event.type === "tool_call" ? [event.payload] : []));
    expect(calls.map(({ toolCallId }) => toolCallId).slice(0, 2)).toEqual(["a", "b"]);
    expect(calls).toHaveLength(3);
  },
);

verifies(
  [],
  "a token that is bound to a session has no other one of its own",
  { tools: [echo] },
  async (world) => {
    const session = await world.session();
    const machine = { authorization: `Bearer ${await world.machine(session.id)}` };
    await world.http("POST", OPERATION, { text: "x" }, { ...machine, "x-session-id": "own" });
    expect((await world.log(session.id)).map(({ type }) => type)).toEqual([
      "tool_call",
      "tool_result",
    ]);
  },
);

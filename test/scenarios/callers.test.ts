import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { operate } from "./turns.ts";
import { MODES, World } from "./world.ts";

const ask = defineTool({
  name: "outside_ask",
  description: "Asks for an approval, for as long as it takes.",
  parameters: { type: "object" },
  durable: "replay",
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      timeoutMs: null,
      onResponse: (response) => ({ complete: response.action }),
    }),
});

async function start(mode: (typeof MODES)[number]) {
  const world = await World.start({ mode, tools: [ask] });
  const { session, client } = await world.conversation();
  const { url } = world.node;
  const call = (signal?: AbortSignal) =>
    fetch(`${url}/api/plugins/outside/operations/ask`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.owner}`,
        "content-type": "application/json",
        "x-session-id": session.id,
        "x-tool-call-id": "call-1",
      },
      body: "{}",
      ...(signal ? { signal } : {}),
    });
  /** Calls, and hangs up when the prompt is there and the server has noticed that nobody listens. */
  const hangUp = async () => {
    const patience = new AbortController();
    const gone = call(patience.signal).catch(() => {});
    const request = await client.event("interaction_request");
    patience.abort();
    await gone;
    await world.http("GET", "/api/sessions");
    await world.clock.settle();
    return request;
  };
  return { world, client, call, hangUp };
}

for (const mode of MODES) {
  test(`a caller who is not back within a minute withdraws its prompt (${mode})`, async () => {
    const { world, client, hangUp } = await start(mode);
    await using _world = world;
    await hangUp();
    await world.advance(59_000);
    expect(client.events().some((event) => event.type === "interaction_closed")).toBe(false);
    await world.advance(2_000);
    expect((await client.event("interaction_closed")).payload.reason).toBe("cancelled");
    expect((await client.event("tool_result")).payload.error?.code).toBe("tool_cancelled");
  });

  test(`a caller who comes back in time gets the answer given in between (${mode})`, async () => {
    const { world, client, call, hangUp } = await start(mode);
    await using _world = world;
    const request = await hangUp();
    await world.advance(40_000);
    const again = call();
    await world.http("GET", "/api/sessions");
    await world.clock.settle();
    await world.advance(40_000);
    expect((await client.answer(request, { action: "approve" }))["ok"]).toBe(true);
    expect(await (await again).json()).toEqual({ ok: true, result: "approve" });
    const late = await call();
    expect(await late.json()).toEqual({ ok: true, result: "approve" });
  });

  test(`a caller who is back within a minute of a restart gets its answer (${mode})`, async () => {
    const { world, client, hangUp } = await start(mode);
    await using _world = world;
    const { sessionId, payload } = await hangUp();
    await world.crash();
    await world.advance(40_000);
    const again = operate(world, sessionId, "outside_ask", {}, { "x-tool-call-id": "call-1" });
    await world.http("GET", "/api/sessions");
    await world.clock.settle();
    await world.advance(40_000);
    const path = `/api/interactions/${payload.interactionId}/respond`;
    expect((await world.http("POST", path, { action: "approve" })).status).toBe(200);
    expect((await again).body).toEqual({ ok: true, result: "approve" });
    client.terminate();
  });
}

test("a caller who is not back within a minute of a restart withdraws its prompt", async () => {
  const { world, hangUp } = await start("single");
  await using _world = world;
  const { sessionId } = await hangUp();
  await world.crash();
  const after = await world.person();
  await after.subscribe(sessionId);
  await world.advance(59_000);
  expect(after.events().some((event) => event.type === "interaction_closed")).toBe(false);
  await world.advance(2_000);
  expect((await after.event("interaction_closed")).payload.reason).toBe("cancelled");
  expect((await after.event("tool_result")).payload.error?.code).toBe("tool_cancelled");
});

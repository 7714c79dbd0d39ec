import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { verifies } from "./verifies.ts";

const write = defineTool({
  name: "files_write",
  description: "Asks before it pretends to write.",
  parameters: { type: "object" },
  durable: "replay",
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      onResponse: (response) => ({ complete: response.action }),
    }),
});

const pieces = (count: number) => ({
  pieces: Array.from({ length: count }, () => "x".repeat(16_384)),
});

verifies(
  "events:self-contained",
  "a small input stands in its prompt; a large one is counted there and read whole from the record",
  { tools: [write] },
  async (world) => {
    const { session, client } = await world.conversation();
    const call = (input: unknown, id: string) =>
      world.http("POST", "/api/plugins/files/operations/write", input, {
        "x-session-id": session.id,
        "x-tool-call-id": id,
      });
    const small = call(pieces(1), "small");
    const first = await client.event("interaction_request");
    expect(first.payload.toolInput).toEqual(pieces(1));
    expect(first.payload).not.toHaveProperty("toolInputBytes");

    const large = call(pieces(10), "large");
    const second = await client.event("interaction_request", 2);
    expect(second.payload).not.toHaveProperty("toolInput");
    expect(second.payload.toolInputBytes).toBe(JSON.stringify(pieces(10)).length);
    const path = `/api/interactions/${second.payload.interactionId}`;
    expect((await world.http("GET", path)).body.request.toolInput).toEqual(pieces(10));

    await client.answer(first, { action: "approve" });
    await client.answer(second, { action: "deny" });
    expect((await small).body).toEqual({ ok: true, result: "approve" });
    expect((await large).body).toEqual({ ok: true, result: "deny" });
    expect((await call(pieces(10), "large")).body).toEqual({ ok: true, result: "deny" });
  },
);

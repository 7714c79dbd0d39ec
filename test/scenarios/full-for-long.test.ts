import { expect, test } from "vitest";
import { defineTool, StoreUnavailable } from "../../src/core/index.ts";
import { params } from "./rig.ts";
import { World } from "./world.ts";

const HEARTBEAT_MS = 5_000;

test("a disk that has no room for a result for long does not cost the call its answer", async () => {
  const ask = defineTool({
    name: "ask",
    description: "Asks.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) =>
      ctx.requestInteraction({
        type: "approval",
        onResponse: ({ action }) => ({ complete: { action } }),
      }),
  });
  await using world = await World.start({ tools: [ask], latency: false });
  const { session, client } = await world.conversation();
  await client.say(session.id, "/call ask {}");
  const request = await client.event("interaction_request");
  const commit = world.store.commit.bind(world.store);
  let refused = 0;
  world.store.commit = async (given) => {
    // What is short still finds room.
    if (!given.events.some(({ type }) => type === "tool_result")) return commit(given);
    refused++;
    throw new StoreUnavailable("The disk is full.");
  };
  await client.answer(request, { action: "approve" });
  for (let beat = 0; beat < 12; beat++) {
    const before = refused;
    await expect
      .poll(() => world.advance(HEARTBEAT_MS).then(() => refused))
      .toBeGreaterThan(before);
  }
  world.store.commit = commit;
  await expect
    .poll(async () => {
      await world.advance(HEARTBEAT_MS);
      return client.events().map(({ type }) => type);
    })
    .toContain("turn_end");
  expect((await client.event("tool_result")).payload).toMatchObject({
    ok: true,
    result: { action: "approve" },
  });
});

import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { checkLog } from "../scenarios/always-true.ts";
import { Client } from "../scenarios/client.ts";
import { World } from "../scenarios/world.ts";
import { textEvent } from "../../src/testing/store-contract/subject.ts";

const CLIENTS = 500;
const BEHIND = 300;
/** Ten times what a loop may be late under held load; here it serves all the clients as well. */
const LAG_MS = 500;

test("500 clients come back at once, each 300 events behind, and each gets everything once", async () => {
  await using world = await World.start({ latency: false });
  const { session, client } = await world.conversation();
  await world.store.commit({
    sessionId: session.id,
    writes: [],
    events: Array.from({ length: BEHIND }, (_none, index) => textEvent(`e${index}`)),
  });

  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const { url } = world.node;
  const hello = { subscriptions: [{ sessionId: session.id, afterSeq: 0 }] };
  const arriving = Promise.all(
    Array.from({ length: CLIENTS }, () => Client.connect(url, world.owner, hello)),
  );
  // Somebody is asked and answers while they come.
  await client.say(session.id, '/call ask_user {"question":"Still there?"}');
  const request = await client.event("interaction_request");
  const answer = { action: "submit", input: { answer: "yes" } };
  expect(await client.answer(request, answer)).toMatchObject({ ok: true });
  const { seq: last } = await client.event("turn_end");
  const healthy = await world.http("GET", "/api/health");
  expect(healthy.status).toBe(200);

  const clients = await arriving;
  await Promise.all(clients.map((one) => one.event("turn_end")));
  lag.disable();
  for (const one of clients) {
    expect(one.events().map(({ seq }) => seq)).toEqual(
      Array.from({ length: last }, (_none, index) => index + 1),
    );
    one.terminate();
  }
  checkLog(await world.log(session.id));
  expect(lag.percentile(99) / 1e6).toBeLessThan(LAG_MS);
}, 120_000);

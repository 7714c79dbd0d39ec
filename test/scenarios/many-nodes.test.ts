import { afterEach, beforeEach, expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { createRandom } from "../../src/testing/index.ts";
import { NodePair, type NodeOptions } from "./node-pair.ts";
import { params, person } from "./rig.ts";

/* Several nodes on one store: what must hold however hints, clocks and nodes behave. */

let heard: string[] = [];
let pair: NodePair;

const asking = defineTool({
  name: "asks",
  description: "Asks for an approval.",
  parameters: params,
  durable: "replay",
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      timeoutMs: null,
      onResponse: ({ action }) => {
        heard.push(action);
        return { complete: action };
      },
    }),
});

const brief = defineTool({
  name: "brief",
  description: "Asks, and does not wait for long.",
  parameters: params,
  durable: "replay",
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "approval",
      timeoutMs: 60_000,
      onResponse: ({ action }) => ({ complete: action }),
      onTimeout: () => {
        heard.push("timeout");
        return { complete: "nobody" };
      },
    }),
});

const secretive = defineTool({
  name: "secretive",
  description: "Asks for a secret.",
  parameters: params,
  durable: "replay",
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "input",
      timeoutMs: null,
      inputSchema: {
        type: "form",
        fields: [{ id: "password", type: "secret", label: "Password", required: true }],
      },
      onResponse: ({ input }) => {
        heard.push(String(input?.["password"]));
        return { complete: "taken" };
      },
    }),
});

const options: NodeOptions = { tools: [asking, brief, secretive] };

beforeEach(() => void (heard = []));
afterEach(async () => pair[Symbol.asyncDispose]());

async function start(nodes: NodeOptions[] = [options, options], seed?: number): Promise<NodePair> {
  pair = await NodePair.start(nodes, seed === undefined ? {} : { random: createRandom(seed) });
  pair.nodes[0]?.attend();
  return pair;
}

/** A session in which the first node has called a tool that asks. */
async function asked(tool: string) {
  const [first] = pair.nodes;
  const { id } = await first!.core.createSession(person, {});
  await first!.core.sendMessage(person, id, { text: `/call ${tool} {}` });
  const request = await pair.event(id, "interaction_request");
  return { sessionId: id, interactionId: request.payload.interactionId };
}

const answer = (node: number, interactionId: string, body: object = { action: "approve" }) =>
  pair.nodes[node]!.core.respond(person, { interactionId, via: "direct", body: body as never });

test("a hook runs once when the answer comes by another node", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    heard = [];
    await start([options, options], seed);
    const { sessionId, interactionId } = await asked("asks");
    await answer(1, interactionId);
    await pair.event(sessionId, "turn_end");
    for (let beats = 0; beats < 3; beats++) await pair.clock.advance(5_000);
    expect(heard, `seed ${seed}`).toEqual(["approve"]);
    await pair[Symbol.asyncDispose]();
  }
  await start();
});

test.each([2_000, -2_000, 3_600_000, -3_600_000])(
  "a node whose clock is %i ms off asks, answers and times out like any other",
  async (skewMs) => {
    await start([{ ...options, skewMs }, options]);
    const open = await asked("brief");
    const row = await pair.store.interaction(open.interactionId);
    expect(row?.expiresAt).toBe(row!.createdAt + 60_000);
    await pair.clock.advance(59_000);
    expect((await pair.store.interaction(open.interactionId))?.status).toBe("open");
    await pair.clock.advance(3_000);
    await pair.event(open.sessionId, "turn_end");
    expect(heard).toEqual(["timeout"]);
  },
);

test("a node whose clock is behind does not ask the store again and again for what is due", async () => {
  await start([{ ...options, skewMs: -2_000 }]);
  let looks = 0;
  const { due } = pair.store;
  pair.store.due = (limit) => {
    looks++;
    return due(limit);
  };
  await asked("brief");
  await pair.clock.advance(61_000);
  expect(heard).toEqual(["timeout"]);
  expect(looks).toBeLessThan(40);
});

test("who leaves one node is still there at another", async () => {
  await start();
  const [first, second] = pair.nodes;
  const here = first!.attend();
  second!.attend();
  await pair.clock.advance(6_000);
  here.close();
  here.set({ supported: true, enabled: false });
  await pair.clock.advance(120_000);
  const third = await pair.add(options);
  const { id } = await third.core.createSession(person, {});
  await third.core.sendMessage(person, id, { text: "/call asks {}" });
  await pair.event(id, "interaction_request");
});

test("who was with a node that died counts for a minute, and not for ever", async () => {
  await start([options]);
  const first = pair.nodes[0]!;
  const other = await pair.add(options);
  await pair.clock.advance(6_000);
  first.kill();
  const unavailable = async () => {
    const { id } = await other.core.createSession(person, {});
    await other.core.sendMessage(person, id, { text: "/call ask_strictly {}" });
    return id;
  };
  void unavailable;
  await pair.clock.advance(30_000);
  expect((await pair.store.presence()).length).toBe(1);
  const { id } = await other.core.createSession(person, {});
  await other.core.sendMessage(person, id, { text: "/call brief {}" });
  await pair.event(id, "interaction_request");
  await pair.clock.advance(90_000);
  await other.core.sendMessage(person, id, { text: "/call brief {}" });
  const { payload } = await pair.event(id, "tool_result", 2);
  expect(payload).toMatchObject({ ok: false, error: { code: "interaction_unavailable" } });
});

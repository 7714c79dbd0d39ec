import { afterEach, beforeEach, expect, test } from "vitest";
import { demoAgent } from "../../src/agents/index.ts";
import { type AgentRuntime, defineTool, type Turn, type TurnEnd } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
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

const inform = (node: number, told: string[]) =>
  pair.nodes[node]!.core.watch({
    who: person,
    sessionUpdated: ({ id, status }) => void told.push(`${id} ${status}`),
    sessionDeleted: (id) => void told.push(`${id} deleted`),
    interactionUpdated: ({ id, status }) => void told.push(`${id} ${status}`),
  });

test("when no hint crosses, the inbox and the list of sessions are right two seconds later", async () => {
  await start();
  pair.carries = () => false;
  const told: string[] = [];
  inform(1, told);
  const { sessionId, interactionId } = await asked("asks");
  await pair.clock.advance(2_000);
  expect(told).toContain(`${interactionId} pending`);
  expect(told).toContain(`${sessionId} waiting`);
  await answer(0, interactionId);
  await pair.event(sessionId, "turn_end");
  await pair.clock.advance(2_000);
  expect(told).toContain(`${interactionId} answered`);
  expect(told.findLast((one) => one.startsWith(sessionId))).toBe(`${sessionId} idle`);
  await pair.nodes[0]!.core.deleteSession(person, sessionId);
  await pair.clock.advance(2_000);
  expect(told.filter((one) => one === `${sessionId} deleted`)).toHaveLength(1);
});

test("who is told by a hint is not told the same again by a look", async () => {
  await start();
  const told: string[] = [];
  inform(1, told);
  const { interactionId } = await asked("asks");
  await pair.clock.advance(10_000);
  expect(told.filter((one) => one === `${interactionId} pending`)).toHaveLength(1);
});

test("after a bus was cut off everybody looks at once", async () => {
  await start();
  pair.carries = () => false;
  const told: string[] = [];
  const { interactionId } = await asked("asks");
  inform(1, told);
  await answer(0, interactionId);
  pair.reconnect();
  await pair.clock.settle();
  expect(told).toContain(`${interactionId} answered`);
});

test("an idle node asks the store a few times a second at most", async () => {
  await start([options]);
  const { sessionId } = await asked("asks");
  expect(sessionId).toBeDefined();
  await pair.clock.advance(10_000);
  const before = pair.calls;
  await pair.clock.advance(60_000);
  expect(pair.calls - before).toBeLessThan(150);
});

/** An agent that says what it hears while it runs. */
const listening = {
  ...demoAgent,
  id: "listening",
  async run(turn: Turn): Promise<TurnEnd> {
    turn.onSettings(({ permissionMode }) => void heard.push(permissionMode));
    turn.onMessage(({ text }) => void heard.push(text));
    await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
    heard.push("aborted");
    return { status: "completed" };
  },
} as AgentRuntime;

async function listeningTurn() {
  const { core } = pair.nodes[0]!;
  const { id } = await core.createSession(person, { agent: "listening" });
  await core.sendMessage(person, id, { text: "go" });
  await pair.event(id, "turn_start");
  await pair.clock.settle();
  return id;
}

test("what is set, said and cancelled at another node reaches the agent, without any hint", async () => {
  const agents = { ...options, agents: [listening] };
  await start([agents, agents]);
  pair.carries = () => false;
  const id = await listeningTurn();
  const other = pair.nodes[1]!.core;
  await other.patchSession(person, id, { permissionMode: "plan" });
  await pair.clock.advance(2_000);
  expect(heard).toEqual(["plan"]);
  await other.sendMessage(person, id, { text: "left, please", delivery: "steer" });
  await pair.clock.advance(2_000);
  expect(heard).toEqual(["plan", "left, please"]);
  await other.cancel(person, id);
  await pair.clock.advance(2_000);
  expect(heard).toEqual(["plan", "left, please", "aborted"]);
});

test("tools that ask at two nodes at once do not slip past the limit of their session", async () => {
  await start([options, options], 7);
  const { id: sessionId } = await pair.nodes[0]!.core.createSession(person, {});
  const refused: unknown[] = [];
  for (let index = 0; index < 30; index++) {
    const call = { sessionId, toolName: "asks", input: {}, origin: "http" } as const;
    void pair.nodes[index % 2]!.core.callTool(person, call).then((end) => refused.push(end));
  }
  await pair.until(() => refused.length === 10);
  for (let turns = 0; turns < 10; turns++) await pair.clock.settle();
  expect(refused).toHaveLength(10);
  expect(refused).toMatchObject(refused.map(() => ({ ok: false, error: { code: "too_many" } })));
  expect(await pair.store.openCount(sessionId)).toBe(LIMITS.openPromptsPerSession);
});

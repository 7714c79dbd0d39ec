import { afterEach, beforeEach, expect, test } from "vitest";
import { demoAgent } from "../../src/agents/index.ts";
import {
  type AgentRuntime,
  type Commit,
  defineTool,
  StoreUnavailable,
  type ToolContext,
  type Turn,
  type TurnEnd,
} from "../../src/core/index.ts";
import { Departure } from "../../src/core/run/departure.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { createRandom } from "../../src/testing/index.ts";
import { NodePair, type NodeOptions } from "./node-pair.ts";
import { params, person } from "./rig.ts";
import { createDoor } from "./turns.ts";

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

let door = createDoor();

/** Asks for a secret while it works on something else, so that its run does not suspend. */
const busilySecretive = defineTool({
  ...secretive,
  name: "busily_secretive",
  parameters: params,
  async handler(_args, ctx) {
    const [taken] = await Promise.all([
      secretive.handler({} as never, ctx),
      ctx.step("work", () => door.opened),
    ]);
    return taken;
  },
});

const options: NodeOptions = { tools: [asking, brief, busilySecretive] };

beforeEach(() => {
  heard = [];
  door = createDoor();
});
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

test("an answer that a run could not look at while the store was away is heard later", async () => {
  await start();
  const { sessionId, interactionId } = await asked("asks");
  let isStored = false;
  pair.nodes[0]!.failWhere((method) => {
    if (method === "commit") isStored = true;
    return isStored && (method === "interaction" || method === "run") ? "before" : undefined;
  });
  await answer(0, interactionId);
  await pair.clock.advance(12_000);
  pair.nodes[0]!.failWhere(() => undefined);
  await pair.event(sessionId, "turn_end");
  expect(heard).toEqual(["approve"]);
});

test("an answer whose commit was stored though the store seemed to fail is heard once", async () => {
  await start();
  const { sessionId, interactionId } = await asked("asks");
  pair.nodes[0]!.failWhere((method) => (method === "commit" ? "after" : undefined));
  await expect(answer(0, interactionId)).rejects.toThrow("away");
  pair.nodes[0]!.failWhere(() => undefined);
  await pair.event(sessionId, "turn_end");
  expect(heard).toEqual(["approve"]);
});

test("a step of a run that was taken over while its process was stopped is not run there", async () => {
  const acting = defineTool({
    ...asking,
    name: "acts",
    async handler(_args: unknown, ctx: ToolContext) {
      const action = await ctx.requestInteraction({
        type: "approval",
        prompt: "May it?",
        onResponse: ({ action: given }) => ({ complete: given }),
      });
      await ctx.step("act", () => void heard.push("act"));
      return action;
    },
  });
  const acts = { ...options, tools: [acting] };
  await start([acts, acts]);
  const { sessionId, interactionId } = await asked("acts");
  const [first] = pair.nodes;
  let commits = 0;
  let goOn = () => {};
  first!.failWhere((method) => {
    // What the hook made of the answer is stored, and the process stopped before it hears of that;
    // of all that waits for it then, that is the first.
    if (method === "commit" && ++commits === 2) {
      for (const later of ["changes", "renew", "claim", "due"]) first!.held.add(later);
      goOn = first!.stop();
    }
    return undefined;
  });
  await answer(0, interactionId);
  await pair.event(sessionId, "turn_end");
  expect(heard).toEqual(["act"]);
  goOn();
  for (let beats = 0; beats < 3; beats++) await pair.clock.advance(5_000);
  expect(heard).toEqual(["act"]);
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
  const due = pair.store.due.bind(pair.store);
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

test.each(["before", "after"] as const)(
  "who comes while the store fails %s writing counts at other nodes once it is back, until they leave",
  async (when) => {
    pair = await NodePair.start([options, options]);
    const [first, second] = pair.nodes;
    await pair.clock.advance(6_000);
    first!.failWhere((method) => (method === "commit" ? when : undefined));
    const here = first!.attend();
    await pair.clock.advance(1_000);
    first!.failWhere(() => undefined);
    await pair.clock.advance(90_000);
    const { id } = await second!.core.createSession(person, {});
    await second!.core.sendMessage(person, id, { text: "/call brief {}" });
    await pair.event(id, "interaction_request");
    here.close();
    await pair.clock.advance(180_000);
    await second!.core.sendMessage(person, id, { text: "/call brief {}" });
    const { payload } = await pair.event(id, "tool_result", 2);
    expect(payload).toMatchObject({ ok: false, error: { code: "interaction_unavailable" } });
  },
);

test.each(["before", "after"] as const)(
  "who leaves and is back at once counts at other nodes, though the store failed %s writing the first",
  async (when) => {
    pair = await NodePair.start([options, options]);
    const [first, second] = pair.nodes;
    const here = first!.attend();
    await pair.clock.advance(6_000);
    let commits = 0;
    first!.failWhere((method) => (method === "commit" && ++commits === 1 ? when : undefined));
    here.close();
    first!.attend();
    await pair.clock.advance(90_000);
    const { id } = await second!.core.createSession(person, {});
    await second!.core.sendMessage(person, id, { text: "/call brief {}" });
    await pair.event(id, "interaction_request");
  },
);

test("who left a node that ended then counts for a minute, though the store failed as that was written", async () => {
  pair = await NodePair.start([options, options]);
  const [first, second] = pair.nodes;
  const here = first!.attend();
  await pair.clock.advance(6_000);
  let commits = 0;
  first!.failWhere((method) => (method === "commit" && ++commits === 1 ? "before" : undefined));
  here.close();
  await pair.clock.settle();
  await first!.leave();
  await pair.clock.advance(6_000);
  const { id } = await second!.core.createSession(person, {});
  await second!.core.sendMessage(person, id, { text: "/call brief {}" });
  await pair.event(id, "interaction_request");
});

test("who switches off does not count at other nodes, though the store failed as that was written", async () => {
  pair = await NodePair.start([options, options]);
  const [first, second] = pair.nodes;
  const here = first!.attend();
  await pair.clock.advance(6_000);
  let commits = 0;
  first!.failWhere((method) => (method === "commit" && ++commits === 1 ? "before" : undefined));
  here.set({ supported: true, enabled: false });
  await pair.clock.advance(12_000);
  const { id } = await second!.core.createSession(person, {});
  await second!.core.sendMessage(person, id, { text: "/call brief {}" });
  const { payload } = await pair.event(id, "tool_result");
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
const listening: AgentRuntime = {
  ...demoAgent,
  id: "listening",
  async run(turn: Turn): Promise<TurnEnd> {
    turn.onSettings(({ permissionMode }) => void heard.push(permissionMode));
    turn.onMessage(({ text }) => void heard.push(text));
    await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
    heard.push("aborted");
    return { status: "completed" };
  },
};

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

const PASSWORD = "correct horse battery staple";
const secret = { action: "submit", input: { password: PASSWORD } };

/** Everything that is stored, and everything that any node has logged. */
async function everythingKept(sessionId: string, interactionIds: string[]): Promise<string> {
  const { store, nodes } = pair;
  const rows = await Promise.all(
    interactionIds.map(async (id) => {
      const row = await store.interaction(id);
      const answerId = row?.decidedResponseId;
      return [row, answerId ? await store.response(id, answerId) : null];
    }),
  );
  const log = await store.events({ sessionId, limit: 1_000 });
  return JSON.stringify([rows, log, await store.session(sessionId), nodes.map((one) => one.log)]);
}

/** A hook that is at work keeps its node the owner of the run. */
async function secretAskedBy(owner: number) {
  const [asker, other] = [pair.nodes[owner]!, pair.nodes[1 - owner]!];
  const { id: sessionId } = await asker.core.createSession(person, {});
  await asker.core.sendMessage(person, sessionId, { text: "/call busily_secretive {}" });
  const request = await pair.event(sessionId, "interaction_request");
  await pair.clock.settle();
  const { interactionId } = request.payload;
  return { sessionId, interactionId, asker, other };
}

test("a secret that is answered at another node reaches the hook, and is kept nowhere in plain", async () => {
  await start();
  const { sessionId, interactionId } = await secretAskedBy(0);
  expect(await pair.store.run((await pair.store.interaction(interactionId))!.runId)).toMatchObject({
    status: "live",
    owner: pair.nodes[0]!.id,
  });
  await answer(1, interactionId, secret);
  const { sealed } = (await pair.store.response(
    interactionId,
    (await pair.store.interaction(interactionId))!.decidedResponseId!,
  ))!;
  expect(sealed).toEqual(expect.any(String));
  await pair.event(sessionId, "interaction_response");
  await pair.until(() => heard.length > 0);
  expect(heard).toEqual([PASSWORD]);
  door.open();
  await pair.event(sessionId, "turn_end");
  await pair.clock.advance(3_000);
  const kept = await everythingKept(sessionId, [interactionId]);
  expect(kept).not.toContain("battery");
  expect(kept).toContain('"sealed":null');
});

test("a secret for a node that died is asked for again", async () => {
  await start();
  const { sessionId, interactionId } = await secretAskedBy(0);
  pair.nodes[0]!.stop();
  await answer(1, interactionId, secret);
  pair.nodes[0]!.kill();
  const again = await pair.event(sessionId, "interaction_request", 2);
  expect(again.payload.attempt).toBe(2);
  await answer(1, again.payload.interactionId, secret);
  await pair.until(() => heard.length > 0);
  expect(heard).toEqual([PASSWORD]);
  expect(
    await everythingKept(sessionId, [interactionId, again.payload.interactionId]),
  ).not.toContain("battery");
  door.open();
  await pair.event(sessionId, "turn_end");
});

test("a secret that is lost each time is asked for no more often than a tool may ask", async () => {
  await start();
  const { sessionId } = await secretAskedBy(0);
  // As if each process died before its hook had the secret.
  const commit = pair.store.commit.bind(pair.store);
  pair.store.commit = (one) =>
    commit({
      ...one,
      writes: one.writes.map((write) =>
        write.table === "responses" ? { ...write, set: { ...write.set, sealed: null } } : write,
      ),
    });
  for (let nth = 1; nth <= LIMITS.reprompts + 1; nth++) {
    const request = await pair.event(sessionId, "interaction_request", nth);
    await pair.clock.settle();
    await answer(1, request.payload.interactionId, secret);
  }
  door.open();
  const { payload } = await pair.event(sessionId, "tool_result");
  expect(payload).toMatchObject({ ok: false, error: { code: "too_many_reprompts" } });
  expect(heard).toEqual([]);
});

test("a node whose reads take for ever keeps the runs that it works on", async () => {
  await start();
  const { sessionId, interactionId } = await secretAskedBy(0);
  for (const name of ["claim", "startable", "nextDeadline", "presence", "changes"]) {
    pair.nodes[0]!.held.add(name);
  }
  await pair.clock.advance(60_000);
  const { runId } = (await pair.store.interaction(interactionId))!;
  expect(await pair.store.run(runId)).toMatchObject({ owner: pair.nodes[0]!.id, epoch: 1 });
  expect(await pair.log(sessionId)).not.toContain("tool_result");
});

test("an answer that was stored without the node hearing of it reaches the hook, once", async () => {
  await start([options]);
  const { sessionId, interactionId } = await asked("asks");
  pair.nodes[0]!.loseAnswer(({ given }) => hasEvent(given, "interaction_response"));
  await expect(answer(0, interactionId)).rejects.toThrow(StoreUnavailable);
  await pair.event(sessionId, "turn_end");
  expect(heard).toEqual(["approve"]);
});

test("runs that were taken over without the node hearing of it are taken over again", async () => {
  await start();
  const { sessionId, interactionId } = await secretAskedBy(0);
  pair.nodes[0]!.kill();
  const isTakeover = ({ method, result }: { method: string; result: unknown }) =>
    method === "claim" && (result as unknown[]).length > 0;
  pair.nodes[1]!.loseAnswer(isTakeover);
  await pair.clock.advance(40_000);
  await answer(1, interactionId, secret);
  door.open();
  await pair.event(sessionId, "turn_end");
  expect(heard).toEqual([PASSWORD]);
});

/** Whether a commit stores an event of the type. */
function hasEvent([commit]: unknown[], type: string): boolean {
  const { events = [] } = (commit ?? {}) as Partial<Commit>;
  return events.some((event) => event.type === type);
}

test("the runs of a node that is gone are taken over within twenty seconds", async () => {
  await start();
  const { sessionId, interactionId } = await secretAskedBy(0);
  const { runId } = (await pair.store.interaction(interactionId))!;
  pair.nodes[0]!.kill();
  await pair.clock.advance(20_000);
  expect(await pair.store.run(runId)).toMatchObject({ owner: pair.nodes[1]!.id });
  await answer(1, interactionId, secret);
  door.open();
  await pair.event(sessionId, "turn_end");
  expect(heard).toEqual([PASSWORD]);
});

test("a takeover leaves a busy machine three of the twenty seconds, whenever nodes started", async () => {
  for (let ms = 0; ms < 5_000; ms += 500) {
    door = createDoor();
    await start([options]);
    await pair.clock.advance(ms);
    await pair.add(options);
    const { interactionId } = await secretAskedBy(0);
    const { runId } = (await pair.store.interaction(interactionId))!;
    // It has just renewed its leases.
    await pair.clock.advance(10_000 - ms);
    pair.nodes[0]!.kill();
    await pair.clock.advance(17_000);
    const { owner } = (await pair.store.run(runId))!;
    expect(owner, `the other one started ${ms} ms later`).toBe(pair.nodes[1]!.id);
    door.open();
    await pair[Symbol.asyncDispose]();
  }
  await start();
});

test.each(["nextDeadline", "presence", "startable"])(
  "a node whose use of %s takes for ever takes over the runs of one that is gone",
  async (method) => {
    await start();
    const { interactionId } = await secretAskedBy(0);
    const { runId } = (await pair.store.interaction(interactionId))!;
    pair.nodes[1]!.held.add(method);
    await pair.clock.advance(6_000);
    pair.nodes[0]!.kill();
    await pair.clock.advance(20_000);
    expect(await pair.store.run(runId)).toMatchObject({ owner: pair.nodes[1]!.id });
    door.open();
  },
);

test("a rolling deploy orphans nothing: what needs the old version of a tool waits for a node that has it", async () => {
  const first: NodeOptions = { tools: [{ ...asking, version: "1" }] };
  const second: NodeOptions = { tools: [{ ...asking, version: "2" }] };
  await start([first, second]);
  const { sessionId, interactionId } = await asked("asks");
  await pair.nodes[0]!.leave();
  await answer(1, interactionId);
  await pair.clock.advance(20_000);
  expect(await pair.log(sessionId)).not.toContain("tool_result");
  await pair.add(first);
  const { payload } = await pair.event(sessionId, "tool_result");
  expect(payload).toMatchObject({ ok: true, result: "approve" });
  expect(heard).toEqual(["approve"]);
});

test("what no node can go on with is not left waiting for ever", async () => {
  await start([{ tools: [{ ...asking, version: "1" }] }, { tools: [{ ...asking, version: "2" }] }]);
  const { sessionId, interactionId } = await asked("asks");
  await pair.nodes[0]!.leave();
  await answer(1, interactionId);
  await pair.clock.advance(70_000);
  const { payload } = await pair.event(sessionId, "tool_result");
  expect(payload).toMatchObject({ ok: false, error: { code: "tool_interrupted" } });
});

/** Says where it runs. */
const placed = (host: string) =>
  ({
    ...demoAgent,
    id: "placed",
    capabilities: { ...demoAgent.capabilities, reenter: "none" },
    async run(): Promise<TurnEnd> {
      heard.push(host);
      return { status: "completed" };
    },
  }) as unknown as AgentRuntime;

test("the turns of a session run where its folder is, whatever node the message comes to", async () => {
  await start([
    { host: "one", agents: [placed("one")] },
    { host: "two", agents: [placed("two")] },
  ]);
  const [one, two] = pair.nodes;
  const { id } = await one!.core.createSession(person, { agent: "placed", cwd: "/tmp" });
  await two!.core.sendMessage(person, id, { text: "go" });
  await pair.event(id, "turn_end");
  expect(heard).toEqual(["one"]);
});

test("the turns of an agent run where there is one, whatever node the message comes to", async () => {
  await start([{ agents: [placed("one")] }, {}]);
  const [one, two] = pair.nodes;
  const { id } = await one!.core.createSession(person, { agent: "placed" });
  await two!.core.sendMessage(person, id, { text: "go" });
  await pair.event(id, "turn_end");
  expect(heard).toEqual(["one"]);
});

test("nodes are listed, and one that is gone for fifteen seconds is seen to be gone", async () => {
  await start([{ host: "one" }, { host: "two" }]);
  const list = async () =>
    (await pair.nodes[1]!.core.nodes()).map(({ host, live }) => [host, live]);
  await pair.clock.advance(60_000);
  expect(await list()).toEqual([
    ["one", true],
    ["two", true],
  ]);
  pair.nodes[0]!.kill();
  await pair.clock.advance(20_000);
  expect(await list()).toEqual([
    ["one", false],
    ["two", true],
  ]);
  const third = await pair.add({ host: "three" });
  await third.leave();
  expect((await list()).map(([host]) => host)).toEqual(["one", "two"]);
});

const CALL = { toolName: "asks", input: {}, origin: "http", toolCallId: "mine" } as const;

/** A program calls a tool at a node, and waits there. */
function callAt(node: number, sessionId: string) {
  const gone = new Departure();
  const end = pair.nodes[node]!.core.callTool(person, {
    ...CALL,
    sessionId,
    gone,
  });
  end.catch(() => {});
  return { end, hangUp: () => gone.leave() };
}

async function called() {
  const { id: sessionId } = await pair.nodes[0]!.core.createSession(person, {});
  const caller = callAt(0, sessionId);
  const { payload } = await pair.event(sessionId, "interaction_request");
  return { sessionId, caller, interactionId: payload.interactionId };
}

test("a caller who hangs up at one node and comes back at another keeps its call", async () => {
  await start();
  const { sessionId, caller, interactionId } = await called();
  caller.hangUp();
  await pair.clock.advance(5_000);
  const again = callAt(1, sessionId);
  await pair.clock.advance(120_000);
  expect((await pair.store.interaction(interactionId))?.status).toBe("open");
  await answer(0, interactionId);
  await pair.until(() => heard.length > 0);
  expect(await again.end).toEqual({ ok: true, result: "approve" });
});

test("a call whose caller waited at a node that died is withdrawn, like one who hung up", async () => {
  await start();
  const { interactionId } = await called();
  pair.nodes[0]!.kill();
  await pair.clock.advance(40_000);
  expect((await pair.store.interaction(interactionId))?.status).toBe("open");
  await pair.clock.advance(120_000);
  expect((await pair.store.interaction(interactionId))?.status).toBe("cancelled");
});

test("a call whose caller waits at a node that lives is not withdrawn when another dies", async () => {
  await start();
  const { id: sessionId } = await pair.nodes[0]!.core.createSession(person, {});
  const caller = callAt(1, sessionId);
  const { payload } = await pair.event(sessionId, "interaction_request");
  pair.nodes[0]!.kill();
  await pair.clock.advance(240_000);
  await answer(1, payload.interactionId);
  await pair.until(() => heard.length > 0);
  expect(await caller.end).toEqual({ ok: true, result: "approve" });
});

test("hints that say only what has changed, and not how, are enough to be told at once", async () => {
  await start();
  pair.saysLittle = true;
  const told: string[] = [];
  inform(1, told);
  const { interactionId } = await asked("asks");
  for (let turns = 0; turns < 3; turns++) await pair.clock.settle();
  expect(told).toContain(`${interactionId} pending`);
  await answer(1, interactionId);
  for (let turns = 0; turns < 3; turns++) await pair.clock.settle();
  expect(heard).toEqual(["approve"]);
});

import { expect, test } from "vitest";
import { Departure } from "../../src/core/index.ts";
import { DEFAULTS } from "../../src/protocol/index.ts";
import { person } from "../scenarios/rig.ts";
import { approvalTool, askingTool, Gate } from "../scenarios/tools.ts";
import { World, type WorldOptions } from "../scenarios/world.ts";

/** One default, and what is so a moment before, at and after it, all on the clock of the world. */
interface Moment {
  name: keyof typeof DEFAULTS;
  sentence: string;
  options?: WorldOptions;
  /** Gets to where the time runs, and gives a look at how things stand. */
  begin(world: World): Promise<() => Promise<string>>;
  before: string;
  after: string;
}

const gate = new Gate();
const held = askingTool("t_held", () => ({
  type: "approval",
  timeoutMs: 1_000,
  onResponse: () => ({ complete: "done" }),
  async onTimeout() {
    await gate.pass();
    return { complete: "over" };
  },
}));

const MOMENTS: Moment[] = [
  {
    name: "interactionTimeoutMs",
    sentence: "a prompt that names no time stays open for five minutes",
    options: { tools: [approvalTool] },
    async begin(world) {
      const { session, client } = await world.conversation();
      await client.say(session.id, "/call t_ask {}");
      const { payload } = await client.event("interaction_request");
      return async () => (await world.interaction(payload.interactionId)).status;
    },
    before: "open",
    after: "timed_out",
  },
  {
    name: "helloTimeoutMs",
    sentence: "a client has ten seconds to say hello",
    async begin(world) {
      const client = await world.direct();
      await world.clock.settle();
      return async () => (client.closed ? `closed ${client.closed.code}` : "connected");
    },
    before: "connected",
    after: "closed 4002",
  },
  {
    name: "presenceGraceMs",
    sentence: "who has left still counts as there for a minute",
    options: { tools: [approvalTool] },
    async begin(world) {
      const client = await world.direct({});
      await client.close();
      await world.clock.settle();
      const session = await world.session();
      return async () => {
        const call = { sessionId: session.id, toolName: "t_ask", origin: "http" } as const;
        const asked = world.node.core.callTool(person, { ...call, input: {} });
        const opened = async () => {
          for (;;) {
            if ((await world.store.openCount(session.id)) > 0) return "asked";
            await world.clock.settle();
          }
        };
        return Promise.race([opened(), asked.then((end) => (end.ok ? "ok" : end.error.code))]);
      };
    },
    before: "asked",
    after: "interaction_unavailable",
  },
  {
    name: "callerGraceMs",
    sentence: "who hung up may come back to its call for a minute",
    options: { tools: [approvalTool] },
    async begin(world) {
      const { session, client } = await world.conversation();
      const hangUp = new Departure();
      void world.node.core.callTool(person, {
        sessionId: session.id,
        toolName: "t_ask",
        input: {},
        origin: "http",
        gone: hangUp,
      });
      const { payload } = await client.event("interaction_request");
      hangUp.leave();
      await world.clock.settle();
      return async () => (await world.interaction(payload.interactionId)).status;
    },
    before: "open",
    after: "cancelled",
  },
  {
    name: "expiringHoldMs",
    sentence: "an answer is held for half a minute while the tool decides what a timeout means",
    options: { tools: [held] },
    async begin(world) {
      gate.reset();
      const { session, client } = await world.conversation();
      await client.say(session.id, "/call t_held {}");
      const request = await client.event("interaction_request");
      await world.advance(1_000);
      await gate.reached;
      let reply = "held";
      const { toolCallId, interactionId } = request.payload;
      const body = { action: "approve" } as const;
      const answer = {
        interactionId,
        toolCallId,
        sessionId: session.id,
        via: "direct",
        body,
      } as const;
      world.node.core.respond(person, answer).then(
        () => (reply = "accepted"),
        (error) => (reply = error.code),
      );
      await world.clock.settle();
      return async () => reply;
    },
    before: "held",
    after: "interaction_closed",
  },
];

/** Too long to pass beat by beat: `test/scenarios/adoption.test.ts` jumps there. */
const ELSEWHERE = ["adoptionMs"];

test("every default time is tried around its end", () => {
  const tried = [...MOMENTS.map(({ name }) => name), ...ELSEWHERE];
  expect(tried.toSorted()).toEqual(Object.keys(DEFAULTS).toSorted());
});

for (const moment of MOMENTS) {
  const { name, sentence, before, after } = moment;
  test.each([
    [-1, before],
    [0, after],
    [1, after],
  ])(`${sentence} (${name} %i ms: %s)`, async (late, expected) => {
    const world = await World.start({ latency: false, ...moment.options });
    try {
      const look = await moment.begin(world);
      await world.advance(DEFAULTS[name] + late);
      expect(await look()).toBe(expected);
    } finally {
      gate.open();
      await world.close();
    }
  });
}

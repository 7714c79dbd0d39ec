import { afterEach, beforeEach, expect, test } from "vitest";
import { createAgentRegistry, demoAgent } from "../../src/agents/index.ts";
import {
  type Commit,
  type Core,
  createCore,
  createLocalBus,
  type Store,
} from "../../src/core/index.ts";
import { builtinTools, createToolRegistry } from "../../src/plugins/index.ts";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { openSqliteStore } from "../../src/store/index.ts";
import { systemIds } from "../../src/system.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { person } from "../scenarios/rig.ts";
import { createTestScope } from "../support/scope.ts";

/*
 * How often an ask waits for a store that is reached over a network. What is asked of it in one turn
 * of the loop shares a round trip, reads as well as commits; what waits for an answer first does not.
 * Lower the count when the engine needs fewer; never raise it.
 */
const MOST = { trips: 5, reads: 2 };

const clock = createFakeClock();
let store: Store;
let core: Core;
let events: ChatEvent[];
let heard: () => void;
let trips: string[][];

beforeEach(async () => {
  store = openSqliteStore({ path: ":memory:", clock });
  [events, trips, heard] = [[], [], () => {}];
  const bus = createLocalBus();
  bus.subscribe((message) => {
    if (message.type === "events") events.push(...(message.events ?? []));
    heard();
  });
  const scope = createTestScope();
  core = createCore({
    store: overNetwork(store),
    bus,
    clock,
    ids: systemIds,
    scope,
    agents: createAgentRegistry([demoAgent]),
    tools: createToolRegistry([...builtinTools]),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    owner: "node",
    shared: true,
  });
  await core.start();
});

afterEach(async () => {
  await core.stop({ drainMs: 0 });
  await store.close();
});

/**
 * Every call leaves with those of the same turn of the loop, and is answered a turn later. What a
 * commit comes to is not known before.
 */
function overNetwork(near: Store): Store {
  let leaving: string[] | undefined;
  return new Proxy(near, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...given: unknown[]): Promise<unknown> => {
        if (!leaving) {
          trips.push((leaving = []));
          setImmediate(() => (leaving = undefined));
        }
        leaving.push(String(name));
        await new Promise((resolve) => setImmediate(resolve));
        const sent = name === "commit" ? [{ ...(given[0] as Commit), decided: undefined }] : given;
        return Reflect.apply(method, target, sent) as Promise<unknown>;
      };
    },
  });
}

async function event(type: ChatEvent["type"]): Promise<ChatEvent> {
  for (;;) {
    const found = events.find((one) => one.type === type);
    if (found) return found;
    await new Promise<void>((resolve) => (heard = resolve));
  }
}

test("a question is asked and answered in so many round trips", async () => {
  const { id } = await core.createSession(person, {});
  for (let round = 0; round < 2; round++) {
    events.length = 0;
    trips.length = 0;
    await core.sendMessage(person, id, { text: '/call ask_user {"question":"Which colour?"}' });
    const { payload } = await event("interaction_request");
    const { interactionId } = payload as { interactionId: string };
    // People are not as fast.
    await clock.settle();
    const body = { action: "submit", input: { answer: "blue" } } as const;
    await core.respond(person, { interactionId, via: "direct", body });
    await event("turn_end");
    await clock.settle();
  }
  if (process.env["BECKON_STEPS"]) for (const one of trips) console.info(one.join(" "));
  const reads = trips.flat().filter((name) => name !== "commit");
  expect(reads.length).toBeLessThanOrEqual(MOST.reads);
  expect(trips.length).toBeLessThanOrEqual(MOST.trips);
});

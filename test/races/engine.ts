import { createAgentRegistry, demoAgent } from "../../src/agents/index.ts";
import {
  type Core,
  createCore,
  createLocalBus,
  type Store,
  type ToolDefinition,
  type Who,
} from "../../src/core/index.ts";
import { createToolRegistry } from "../../src/plugins/index.ts";
import { createCredentials, OWNER_ID } from "../../src/server/index.ts";
import { openSqliteStore } from "../../src/store/index.ts";
import { createScope, systemIds } from "../../src/system.ts";
import {
  createFakeClock,
  createRandom,
  type FakeClock,
  withLatency,
} from "../../src/testing/index.ts";

export interface Engine {
  core: Core;
  store: Store;
  clock: FakeClock;
  person: Who;
  /** Resolves when the session's `nth` turn has ended. */
  turnEnded(sessionId: string): Promise<void>;
  /** Resolves with the id of the session's first prompt. */
  asked(sessionId: string): Promise<string>;
  close(): Promise<void>;
}

/** The engine itself over a store whose answers come at random moments; no sockets in between. */
export async function startEngine(
  tools: ToolDefinition[],
  options: { seed: number; alwaysOrphan: boolean },
): Promise<Engine> {
  const clock = createFakeClock();
  const raw = openSqliteStore({ path: ":memory:", clock });
  const store = withLatency(raw, createRandom(options.seed));
  const bus = createLocalBus();
  await createCredentials({ store: raw, ids: systemIds, clock }).ensureOwner();
  const ended = new Map<string, () => void>();
  const asked = new Map<string, (id: string) => void>();
  bus.subscribe((message) => {
    if (message.type === "interaction") asked.get(message.row.sessionId)?.(message.row.id);
    if (message.type !== "events") return;
    if (message.events?.some((event) => event.type === "turn_end"))
      ended.get(message.sessionId)?.();
  });
  const core = createCore({
    store,
    bus,
    clock,
    ids: systemIds,
    scope: createScope(),
    agents: createAgentRegistry([demoAgent]),
    tools: createToolRegistry(tools),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    owner: "races",
    host: "test",
    alwaysOrphan: options.alwaysOrphan,
  });
  await core.start();
  const person: Who = {
    principalId: OWNER_ID,
    kind: "person",
    name: "owner",
    tokenId: "t",
    sessionId: null,
  };
  core.attend(person, { supported: true, enabled: true });
  return {
    core,
    store: raw,
    clock,
    person,
    turnEnded: (sessionId) => new Promise((resolve) => ended.set(sessionId, resolve)),
    asked: (sessionId) => new Promise((resolve) => asked.set(sessionId, resolve)),
    async close() {
      await core.stop({ drainMs: 0 });
      await raw.close();
    },
  };
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

import { createAgentRegistry, demoAgent } from "../../src/agents/index.ts";
import {
  type Bus,
  type Core,
  createCore,
  createLocalBus,
  type Ids,
  type InteractionRow,
  type Store,
  type ToolDefinition,
} from "../../src/core/index.ts";
import { createToolRegistry } from "../../src/plugins/index.ts";
import { createCredentials } from "../../src/server/index.ts";
import { openSqliteStore } from "../../src/store/index.ts";
import { systemIds } from "../../src/system.ts";
import { createRandom, withLatency } from "../../src/testing/index.ts";
import { person } from "../scenarios/rig.ts";
import { createTestScope, type TestScope } from "../support/scope.ts";
import { createTurnClock, type TurnClock } from "./turn-clock.ts";

export interface Engine {
  core: Core;
  clock: TurnClock;
  /** What is stored, read without the engine and without delay. */
  store: Store;
  /** Called from inside the broadcast of the session's first prompt, before the engine hears it. */
  onPrompt(sessionId: string, listener: (row: InteractionRow) => void): void;
  /** Resolves when the session's first turn has ended. */
  turnEnded(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

interface EngineOptions {
  tools: ToolDefinition[];
  seed: number;
  alwaysOrphan?: boolean;
  /** Of how many waiting runs the closures are held. @default by the seed: few, some or all */
  mostResting?: number;
  /** Stands between the engine and the store, behind the latency. */
  wrap?(store: Store): Store;
  /** For tools that ask or remember inside their hooks. @default false */
  hooksAsk?: boolean;
}

/**
 * The engine itself over a real store in memory that answers at random moments; no sockets in
 * between. Ids, latency and time come from the seed and the loop alone, so that the same seed is
 * the same race again.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const clock = createTurnClock();
  const store = openSqliteStore({ path: ":memory:", clock });
  const random = createRandom(options.seed);
  const ids = createIds(random);
  const bus = createLocalBus();
  const heard = listen(bus);
  await createCredentials({ store, ids, clock }).ensureOwner();
  const scope = options.hooksAsk ? createTestScope() : handlersOnly;
  const core = createCore({
    store: withLatency(options.wrap?.(store) ?? store, random),
    bus,
    clock,
    ids,
    scope,
    agents: createAgentRegistry([demoAgent]),
    tools: createToolRegistry(options.tools),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    owner: "races",
    alwaysOrphan: options.alwaysOrphan ?? false,
    mostResting: options.mostResting ?? [1, 20, 1_000][options.seed % 3],
  });
  await core.start();
  core.attend(person, { supported: true, enabled: true });
  return {
    core,
    clock,
    store,
    ...heard,
    async close() {
      await core.stop({ drainMs: 0 });
      scope.close();
      await store.close();
    },
  };
}

function listen(bus: Bus): Pick<Engine, "onPrompt" | "turnEnded"> {
  const prompts = new Map<string, (row: InteractionRow) => void>();
  const ends = new Map<string, () => void>();
  bus.subscribe((message) => {
    if (message.type === "interaction" && message.row) {
      const { sessionId } = message.row;
      const listener = prompts.get(sessionId);
      prompts.delete(sessionId);
      listener?.(message.row);
    }
    if (message.type !== "events") return;
    if (message.events?.some(({ type }) => type === "turn_end")) ends.get(message.sessionId)?.();
  });
  return {
    onPrompt: (sessionId, listener) => void prompts.set(sessionId, listener),
    turnEnded: (sessionId) => new Promise((resolve) => ends.set(sessionId, resolve)),
  };
}

/**
 * The truth for tools that ask in their handlers only. The real scope, an AsyncLocalStorage, makes
 * every promise of the process dearer on Node 20: a quarter of a race's time.
 */
const handlersOnly: TestScope = {
  run: (_value, work) => work(),
  current: () => undefined,
  close() {},
};

/** The store orders some rows by id: those of a seed are as random, and the same each time. */
function createIds(random: () => number): Ids {
  let made = 0;
  return {
    digest: (text) => systemIds.digest(text),
    next: () => `${Math.floor(random() * 2 ** 32).toString(36)}_${++made}`,
  };
}

import { createAgentRegistry, demoAgent, outsideAgent } from "../../src/agents/index.ts";
import {
  type AgentRuntime,
  type BusMessage,
  type Clock,
  type Core,
  createCore,
  createLocalBus,
  type PresenceHandle,
  type Store,
  StoreUnavailable,
  type ToolDefinition,
} from "../../src/core/index.ts";
import { builtinTools, createToolRegistry } from "../../src/plugins/index.ts";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { createCredentials } from "../../src/server/index.ts";
import { createSealing } from "../../src/sealing.ts";
import { systemIds } from "../../src/system.ts";
import { type FakeClock, withLatency } from "../../src/testing/index.ts";
import { createTestScope } from "../support/scope.ts";
import type { EventOf } from "./client.ts";
import { openSharedStore } from "./stores.ts";
import { person, turnsOfTheLoop } from "./rig.ts";

export interface NodeOptions {
  tools?: ToolDefinition[];
  agents?: AgentRuntime[];
  host?: string;
  /** How far its clock is from the store's. */
  skewMs?: number;
}

interface StoreCall {
  method: string;
  given: unknown[];
  result: unknown;
}

interface Life {
  isOver: boolean;
  goOn: Promise<void>;
  held: Set<string>;
  failing: (method: string) => "before" | "after" | undefined;
  loses: ((call: StoreCall) => boolean) | undefined;
}

/** One engine of those that share a store. */
export interface PairedNode {
  readonly core: Core;
  readonly id: string;
  /** What it has written to its log, as text. */
  readonly log: string[];
  /** Lets uses of the store fail, before anything has happened or after all of it has. */
  failWhere(failing: (method: string) => "before" | "after" | undefined): void;
  /** Somebody with interactive mode on is there. */
  attend(): PresenceHandle;
  /** Calls of the store that get no answer, by their names. */
  readonly held: Set<string>;
  /** The next such call of the store is done, and its answer is lost. */
  loseAnswer(isIt: (call: StoreCall) => boolean): void;
  /** Nothing that it does reaches the store or another node any more, as after a kill. */
  kill(): void;
  /** Until it is let go on nothing that it does begins, as of a stopped process. */
  stop(): () => void;
  leave(): Promise<void>;
}

/** Several engines on one store, a wire between them that a test can cut, and clocks that differ. */
export class NodePair {
  readonly clock: FakeClock;
  readonly store: Store;
  readonly nodes: PairedNode[] = [];
  /** Whether a hint crosses to the others. */
  carries: (message: BusMessage) => boolean = () => true;
  /** Whether hints say only what has changed, and not how. */
  saysLittle = false;
  /** How often the nodes have asked the store for something. */
  calls = 0;
  /** Where it is given, each call of the store begins and ends late. */
  readonly #random: (() => number) | undefined;
  readonly #listeners = new Set<{ id: string; hear(message: BusMessage): void }>();

  private constructor(shared: { store: Store; clock: FakeClock }, random?: () => number) {
    this.store = shared.store;
    this.clock = shared.clock;
    this.#random = random;
  }

  static async start(
    nodes: NodeOptions[],
    { random }: { random?: () => number } = {},
  ): Promise<NodePair> {
    const pair = new NodePair(await openSharedStore(), random);
    const { store, clock } = pair;
    await createCredentials({ store, ids: systemIds, clock }).ensureOwner();
    for (const options of nodes) await pair.add(options);
    return pair;
  }

  async add(options: NodeOptions = {}): Promise<PairedNode> {
    const id = `node-${this.nodes.length + 1}-${systemIds.next()}`;
    const { skewMs = 0, host = "here" } = options;
    const failing = () => undefined;
    const life: Life = {
      isOver: false,
      goOn: Promise.resolve(),
      held: new Set(),
      failing,
      loses: undefined,
    };
    const log: string[] = [];
    const write = (details: unknown, message: string) => {
      log.push(
        `${message} ${JSON.stringify(details, (_key, value: unknown) => (value instanceof Error ? `${value.stack}` : value))}`,
      );
    };
    const scope = createTestScope();
    const clock: Clock = {
      now: () => this.clock.now() + skewMs,
      timer: (ms, callback) => this.clock.timer(ms, callback),
      turn: () => this.clock.turn(),
    };
    const core = createCore({
      store: this.#storeFor(life),
      bus: this.#busFor(id, life),
      clock,
      ids: systemIds,
      scope,
      agents: createAgentRegistry([demoAgent, outsideAgent, ...(options.agents ?? [])]),
      tools: createToolRegistry([...builtinTools, ...(options.tools ?? [])]),
      log: { info: write, warn: write, error: write },
      sealing: createSealing(),
      owner: id,
      node: { name: id, host, version: "test" },
      shared: true,
    });
    const node: PairedNode = {
      core,
      id,
      log,
      held: life.held,
      failWhere: (failing) => void (life.failing = failing),
      loseAnswer: (isIt) => void (life.loses = isIt),
      attend: () => core.attend(person, { supported: true, enabled: true }),
      kill: () => void (life.isOver = true),
      stop() {
        let goOn = () => {};
        life.goOn = new Promise((resolve) => (goOn = resolve));
        return goOn;
      },
      async leave() {
        if (!life.isOver) await core.stop({ drainMs: 0 });
        life.isOver = true;
        scope.close();
      },
    };
    this.nodes.push(node);
    await core.start();
    return node;
  }

  /** The `nth` event of a type, while time passes. */
  async event<Type extends ChatEvent["type"]>(
    sessionId: string,
    type: Type,
    nth = 1,
  ): Promise<EventOf<Type>> {
    const find = async () => {
      const events = await this.store.events({ sessionId, limit: 1_000 });
      return events.filter((event) => event.type === type)[nth - 1] as EventOf<Type> | undefined;
    };
    const found = await this.until(find);
    if (found) return found;
    throw new Error(`No ${type} came: ${(await this.log(sessionId)).join(", ")}`);
  }

  /** The types of a session's events. */
  async log(sessionId: string): Promise<string[]> {
    return (await this.store.events({ sessionId, limit: 1_000 })).map(({ type }) => type);
  }

  /** Lets half a minute pass at most, a part of a second at a time, until something is found. */
  async until<Found>(find: () => Promise<Found | undefined> | Found | undefined) {
    for (let tries = 0; tries < 120; tries++) {
      const found = await find();
      if (found) return found;
      await turnsOfTheLoop(3);
      await this.clock.advance(tries < 5 ? 0 : 250);
    }
    return undefined;
  }

  /** The wire is mended: what was lost on it stays lost. */
  reconnect(): void {
    this.carries = () => true;
    for (const listener of this.#listeners) listener.hear({ type: "look" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) await node.leave();
    await this.store.close();
  }

  #storeFor(life: Life): Store {
    const store = this.#random ? withLatency(this.store, this.#random) : this.store;
    return new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return async (...given: unknown[]) => {
          await life.goOn;
          if (life.isOver || life.held.has(String(name))) return new Promise(() => {});
          const fails = life.failing(String(name));
          if (fails === "before") throw new StoreUnavailable("The store is away.");
          this.calls++;
          const result: unknown = await Reflect.apply(method, target, given);
          await life.goOn;
          // The connection was lost after what was sent had been taken.
          if (fails === "after") throw new StoreUnavailable("The store is away.");
          if (life.loses?.({ method: String(name), given, result })) {
            life.loses = undefined;
            throw new StoreUnavailable("The connection broke before the answer came.");
          }
          return life.isOver ? new Promise(() => {}) : result;
        };
      },
    });
  }

  #busFor(id: string, life: { isOver: boolean }) {
    const own = createLocalBus();
    this.#listeners.add({ id, hear: (message) => !life.isOver && own.publish(message) });
    return {
      publish: (message: BusMessage) => {
        if (life.isOver) return;
        own.publish(message);
        for (const other of this.#listeners) {
          if (other.id === id || !this.carries(message)) continue;
          const { row: _row, events: _events, ...little } = { row: 0, events: 0, ...message };
          const copy = structuredClone(this.saysLittle ? little : message);
          setImmediate(() => other.hear(copy));
        }
      },
      subscribe: (listener: (message: BusMessage) => void) => own.subscribe(listener),
    };
  }
}

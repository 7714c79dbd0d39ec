import { createAgentRegistry, demoAgent } from "../../src/agents/index.ts";
import {
  type AgentRuntime,
  type Core,
  createCore,
  createLocalBus,
  defineTool,
  type Store,
  type ToolContext,
  type ToolDefinition,
  type Who,
} from "../../src/core/index.ts";
import { createToolRegistry } from "../../src/plugins/index.ts";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { createCredentials, OWNER_ID } from "../../src/server/index.ts";
import { systemIds } from "../../src/system.ts";
import { createTestScope } from "../support/scope.ts";
import type { EventOf } from "./client.ts";
import { openSharedStore } from "./stores.ts";
import type { FakeClock } from "../../src/testing/index.ts";

/*
 * What goes wrong between two steps of the engine. Nothing here is random: a store that holds one
 * commit back, or refuses one, puts the fault exactly where it hurts.
 */

export const HEARTBEAT_MS = 5_000;
export const params = { type: "object" };
export const person: Who = {
  principalId: OWNER_ID,
  kind: "person",
  name: "owner",
  tokenId: "t",
  sessionId: null,
};

/** One engine over a store that a test can hold up or break. A restart keeps what is stored. */
export class Rig {
  readonly clock: FakeClock;
  readonly raw: Store;
  core!: Core;
  /** How often the engine's heart has beaten. */
  beats = 0;
  /** Looks at every commit first: may wait, or throw in its place. */
  onCommit: (commit: Parameters<Store["commit"]>[0]) => unknown = () => {};
  /** Looks at every commit that is stored, before the engine hears so: may wait. */
  onCommitted: (commit: Parameters<Store["commit"]>[0]) => unknown = () => {};
  /** The same for every read, by its name. */
  onRead: (name: string) => unknown = () => {};
  #killed = { yes: false };
  #scope = createTestScope();
  readonly #options: { tools: ToolDefinition[]; agents?: AgentRuntime[] };

  private constructor(
    shared: { store: Store; clock: FakeClock },
    options: { tools: ToolDefinition[]; agents?: AgentRuntime[] },
  ) {
    this.raw = shared.store;
    this.clock = shared.clock;
    this.#options = options;
  }

  static async start(options: { tools: ToolDefinition[]; agents?: AgentRuntime[] }) {
    const rig = new Rig(await openSharedStore(), options);
    await createCredentials({ store: rig.raw, ids: systemIds, clock: rig.clock }).ensureOwner();
    await rig.#open();
    return rig;
  }

  /** Nothing of the old engine reaches the store any more; a new one starts on it. */
  async crash(tools?: ToolDefinition[]): Promise<void> {
    this.#killed.yes = true;
    if (tools) this.#options.tools = tools;
    await this.clock.advance(20_000);
    await this.#open();
  }

  async session(agent = "demo"): Promise<string> {
    return (await this.core.createSession(person, { agent })).id;
  }

  async say(sessionId: string, text: string): Promise<void> {
    await this.core.sendMessage(person, sessionId, { text });
  }

  async log(sessionId: string): Promise<ChatEvent[]> {
    return this.raw.events({ sessionId, limit: 1_000 });
  }

  /** The `nth` event of a type; time passes while it does not come. */
  async event<Type extends ChatEvent["type"]>(
    sessionId: string,
    type: Type,
    nth = 1,
  ): Promise<EventOf<Type>> {
    for (let tries = 0; tries < 40; tries++) {
      const found = (await this.log(sessionId)).filter((event) => event.type === type)[nth - 1];
      if (found) return found as EventOf<Type>;
      await new Promise((resolve) => setImmediate(resolve));
      await this.clock.advance(tries < 20 ? 0 : 1_000);
    }
    const story = (await this.log(sessionId)).map((event) => event.type).join(", ");
    throw new Error(`No ${type} came: ${story}`);
  }

  /** Lets real time and the clock pass until something is so, within reason. */
  async until(isSo: () => boolean): Promise<void> {
    for (let tries = 0; tries < 100 && !isSo(); tries++) {
      await new Promise((resolve) => setImmediate(resolve));
      await this.clock.advance(tries < 50 ? 0 : 1_000);
    }
  }

  async answer(interactionId: string, body: Record<string, unknown> = { action: "approve" }) {
    return this.core.respond(person, { interactionId, via: "direct", body: body as never });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.onCommit = () => {};
    this.onCommitted = () => {};
    this.onRead = () => {};
    await this.core.stop({ drainMs: 0 });
    this.#scope.close();
    await this.raw.close();
  }

  async #open(): Promise<void> {
    const life = { yes: false };
    this.#killed = life;
    this.#scope.close();
    this.#scope = createTestScope();
    const { raw } = this;
    const store = new Proxy(raw, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
        if (typeof method !== "function") return method;
        return async (...given: unknown[]) => {
          if (life.yes) return new Promise(() => {});
          if (name === "renew") this.beats++;
          if (name === "commit") await this.onCommit(given[0] as never);
          else await this.onRead(String(name));
          if (life.yes) return new Promise(() => {});
          const result = await Reflect.apply(method, target, given);
          if (name === "commit") await this.onCommitted(given[0] as never);
          return result;
        };
      },
    });
    this.core = createCore({
      store,
      bus: createLocalBus(),
      clock: this.clock,
      ids: systemIds,
      scope: this.#scope,
      agents: createAgentRegistry([demoAgent, ...(this.#options.agents ?? [])]),
      tools: createToolRegistry(this.#options.tools),
      log: { info: () => {}, warn: () => {}, error: () => {} },
      owner: `rig-${Math.random()}`,
    });
    await this.core.start();
    this.core.attend(person, { supported: true, enabled: true });
  }
}

export const hasEvent = (commit: Parameters<Store["commit"]>[0], type: string) =>
  commit.events.some((event) => event.type === type);

export const approve = (ctx: ToolContext, more: Record<string, unknown> = {}) =>
  ctx.requestInteraction({
    type: "approval",
    timeoutMs: null,
    onResponse: ({ action }) => ({ complete: action }),
    ...more,
  });

export const asking = (name: string, durable: "replay" | "orphan") =>
  defineTool({
    name,
    description: "Asks for an approval.",
    parameters: params,
    durable,
    handler: (_args, ctx) => approve(ctx),
  });

export async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

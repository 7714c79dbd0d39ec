import {
  type CallEnd,
  type Core,
  createCore,
  createLocalBus,
  type InteractionRow,
  type JournalRow,
  type Store,
  type ToolDefinition,
} from "../../core/index.ts";
import { openSqliteStore } from "../../store/index.ts";
import { createFakeClock } from "../fake-clock.ts";
import {
  countingIds,
  createScope,
  noAgent,
  person,
  promptName,
  quiet,
  stepName,
} from "./engine-parts.ts";

/** What happens to the process while the tool runs. */
export type Interruption =
  | { kind: "none" }
  /** It forgets the call whenever that waits for people. */
  | { kind: "forgets" }
  /** It dies before it can store what the call stores next, having stored `stored` times. */
  | { kind: "dies"; stored: number };

const CALL_ID = "call";
const never = () => new Promise<never>(() => {});

/** The real engine over a real store in memory, in which one tool is called once. */
export class Engine {
  readonly clock = createFakeClock();
  readonly store: Store = openSqliteStore({ path: ":memory:", clock: this.clock });
  /** How often the call itself has stored something. */
  stored = 0;
  died = false;
  /** How many times something was stored and told, or the process died. */
  heard = 0;
  sessionId = "";
  #core!: Core;
  #owner = "";
  #lives = 0;
  #wake = () => {};
  readonly #tool: ToolDefinition;
  readonly #interruption: Interruption;
  readonly #ids = countingIds();

  private constructor(tool: ToolDefinition, interruption: Interruption) {
    this.#tool = tool;
    this.#interruption = interruption;
  }

  static async start(tool: ToolDefinition, interruption: Interruption): Promise<Engine> {
    const engine = new Engine(tool, interruption);
    await engine.#open(engine.#mortal());
    engine.sessionId = (await engine.#core.createSession(person, {})).id;
    return engine;
  }

  call(input: unknown): void {
    this.#call(input).catch(() => {});
  }

  /** The same id again is the same call; one that has ended gives its end. */
  async #call(input: unknown): Promise<CallEnd> {
    const { sessionId } = this;
    const call = { sessionId, toolName: this.#tool.name, toolCallId: CALL_ID, input };
    return this.#core.callTool(person, { ...call, origin: "http" });
  }

  /** A new process takes over what the dead one left. */
  async revive(): Promise<void> {
    this.died = false;
    await this.store.renew(this.#owner, 0);
    await this.#open(this.store);
  }

  async end(): Promise<CallEnd | undefined> {
    const row = await this.store.call(this.sessionId, CALL_ID);
    return row?.status === "ended" ? this.#call(row.input) : undefined;
  }

  async prompts(): Promise<InteractionRow[]> {
    return this.store.interactionsOfCall(this.sessionId, CALL_ID);
  }

  async respond(interactionId: string, body: Parameters<Core["respond"]>[1]["body"]) {
    await this.#core.respond(person, { interactionId, via: "direct", body });
  }

  /** Everything of the call that was stored, and what it is. */
  async texts(): Promise<{ at: string; text: string }[]> {
    const journal = await this.store.journal(`${this.sessionId}/${CALL_ID}`);
    const call = await this.store.call(this.sessionId, CALL_ID);
    const prompts = await this.prompts();
    const keys = [...new Set(prompts.map(({ key }) => key))];
    const text = (value: unknown) => JSON.stringify(value) ?? "";
    // Beside it stands only when it was stored.
    const valueOf = ({ value }: JournalRow) => (value as { value: unknown }).value;
    return [
      ...journal.map((row) => ({ at: stepName(row.key), text: text(valueOf(row)) })),
      ...prompts.flatMap(({ key, request, outcome }) => [
        { at: `what ${promptName(key, keys)} shows`, text: text(request) },
        { at: `the outcome of ${promptName(key, keys)}`, text: text(outcome) },
      ]),
      { at: "the result of the call", text: text(call?.result) },
      { at: "the error of the call", text: text(call?.error) },
    ];
  }

  /** Whether something has happened since it had `heard`, or does within `ms` of real time. */
  async hears(heard: number, ms: number): Promise<boolean> {
    if (this.heard !== heard) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  async close(): Promise<void> {
    await this.#core.stop({ drainMs: 0 });
    await this.store.close();
  }

  /** The store as the first process sees it: once that is dead, nothing comes back any more. */
  #mortal(): Store {
    const life = { over: false };
    const limit = this.#interruption.kind === "dies" ? this.#interruption.stored : Infinity;
    return new Proxy(this.store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return async (...given: unknown[]) => {
          const isOwn = name === "commit" && (given[0] as { fence?: unknown }).fence !== undefined;
          if (isOwn && !life.over && this.stored++ >= limit) {
            life.over = true;
            this.died = true;
            this.#hear();
          }
          return life.over ? never() : Reflect.apply(method, target, given);
        };
      },
    });
  }

  #hear(): void {
    this.heard++;
    this.#wake();
  }

  async #open(store: Store): Promise<void> {
    const bus = createLocalBus();
    bus.subscribe(() => this.#hear());
    this.#owner = `life-${++this.#lives}`;
    this.#core = createCore({
      store,
      bus,
      clock: this.clock,
      ids: this.#ids,
      scope: createScope(),
      agents: { get: () => noAgent, list: () => [noAgent] },
      tools: {
        get: (name) => (name === this.#tool.name ? this.#tool : undefined),
        list: () => [this.#tool],
      },
      log: quiet,
      owner: this.#owner,
      alwaysOrphan: this.#interruption.kind === "forgets",
      commitsSingly: true,
    });
    await this.#core.start();
    this.#core.attend(person, { supported: true, enabled: true });
  }
}

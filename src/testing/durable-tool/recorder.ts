import { AsyncLocalStorage } from "node:async_hooks";
import type {
  HookOutcome,
  InteractionRequestWithHooks,
  ToolContext,
  ToolDefinition,
} from "../../core/index.ts";
import { canonicalJson } from "../../protocol/index.ts";
import { changedByJson } from "./changed-by-json.ts";

/** A day, and more of every smaller unit, so that no way to show the time comes out the same. */
const BETWEEN_LIVES_MS = 24 * 3_600_000 + 3_661_001;

/** What one execution of the handler, from its top, did. */
export interface Life {
  /** What it asked, as data, by what the engine would know the prompt by. */
  prompts: Map<string, { name: string; text: string }>;
  /** Steps in order, by where they were called. */
  steps: Map<string, string[]>;
  /** Steps whose function has run and whose result may not be stored yet. */
  running: number;
  /** Several things were done at once, so their order means nothing. */
  overlapped: boolean;
  returned: boolean;
}

interface Place {
  life: Life;
  /** The handler, or the hook of one attempt of one prompt. */
  where: string;
  used: Map<string, number>;
  offset: number;
}

/** Stands between the engine and a tool, and writes down what each life of its handler does. */
export class Recorder {
  readonly lives: Life[] = [];
  /** What JSON would change, and where it was given. */
  readonly changed: { at: string; what: string }[] = [];
  /** Attempts that the tool itself asked for again. */
  readonly reprompted = new Set<string>();
  readonly #place = new AsyncLocalStorage<Place>();
  readonly #calendar: { lives: number };

  /** @param calendar counts the lives of all runs: in each the tool finds another date */
  constructor(calendar: { lives: number }) {
    this.#calendar = calendar;
  }

  /** How far the clock of the tool that is running is ahead. */
  readonly offset = () => this.#place.getStore()?.offset ?? 0;

  wrap(tool: ToolDefinition): ToolDefinition {
    return {
      ...tool,
      handler: (args, ctx) => {
        const life: Life = {
          prompts: new Map(),
          steps: new Map(),
          running: 0,
          overlapped: false,
          returned: false,
        };
        this.lives.push(life);
        const offset = ++this.#calendar.lives * BETWEEN_LIVES_MS;
        const place = { life, where: "", used: new Map<string, number>(), offset };
        return this.#place.run(place, async () => {
          const result = await tool.handler(args, this.#context(ctx, place));
          life.returned = true;
          this.#look("the result of the call", result);
          return result;
        });
      },
    };
  }

  #context(ctx: ToolContext, place: Place): ToolContext {
    const step: ToolContext["step"] = (name, work) => this.#step(ctx, place, name, work);
    const requestInteraction: ToolContext["requestInteraction"] = (request) =>
      ctx.requestInteraction(this.#request(place, request));
    const own: Record<string | symbol, unknown> = { step, requestInteraction };
    return new Proxy(ctx, {
      get: (target, key) => own[key] ?? (Reflect.get(target, key) as unknown),
    });
  }

  async #step<Result>(
    ctx: ToolContext,
    start: Place,
    name: string,
    work: () => Result | Promise<Result>,
  ): Promise<Result> {
    const { life, where } = this.#place.getStore() ?? start;
    const steps = life.steps.get(where) ?? [];
    life.steps.set(where, [...steps, name]);
    if (life.running > 0) life.overlapped = true;
    let ran = false;
    try {
      return await ctx.step(name, async () => {
        ran = true;
        life.running++;
        const result = await work();
        this.#look(`the step "${name}"`, result);
        return result;
      });
    } finally {
      if (ran) life.running--;
    }
  }

  #request(start: Place, request: InteractionRequestWithHooks): InteractionRequestWithHooks {
    const place = this.#place.getStore() ?? start;
    const base = `${place.where}|${request?.key ?? ""}`;
    const count = (place.used.get(base) ?? 0) + 1;
    place.used.set(base, count);
    const id = `${base}|${count}`;
    const { prompts } = place.life;
    const name = request?.key === undefined ? `prompt ${prompts.size + 1}` : `"${request.key}"`;
    prompts.set(id, { name, text: dataOf(request) });
    if (typeof request?.onResponse !== "function") return request;
    const inHook = (of: string) => ({ ...place, where: `${id}/${of}`, used: new Map() });
    return {
      ...request,
      onResponse: async (response, info) => {
        const outcome = await this.#place.run(inHook(String(info.attempt)), async () =>
          request.onResponse(response, info),
        );
        if (outcome === null || typeof outcome !== "object") return outcome;
        if ("reprompt" in outcome) this.reprompted.add(info.interactionId);
        if ("complete" in outcome) this.#look(`the outcome of ${name}`, outcome.complete);
        return outcome;
      },
      ...(request.onTimeout && {
        onTimeout: (info) =>
          this.#place.run(inHook("timeout"), async () => request.onTimeout?.(info) as HookOutcome),
      }),
    };
  }

  #look(at: string, value: unknown): void {
    const what = changedByJson(value);
    if (what) this.changed.push({ at, what });
  }
}

function dataOf(request: unknown): string {
  try {
    return canonicalJson(request) ?? "";
  } catch {
    return "something that is not JSON";
  }
}

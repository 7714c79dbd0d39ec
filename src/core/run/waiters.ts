import { countWaiting, type LiveCall } from "../call/live-call.ts";
import type { ToolError } from "../call/tool.ts";
import type { InteractionRow } from "../ports.ts";

/** A piece of a call that waits until its prompt is over. */
export interface Waiting {
  row: InteractionRow;
  call: LiveCall;
  /** Called the moment the prompt is over, so that the run cannot suspend before the piece goes on. */
  woken(): void;
  onCancel?: () => void | Promise<void>;
}

interface Waiter extends Waiting {
  resolve(decided: InteractionRow | ToolError): void;
}

/** What in a run waits for people, by the prompts that it waits for. */
export class Waiters<Run> {
  readonly #waiters = new Map<string, Waiter>();
  readonly #index: Map<string, Run>;
  readonly #run: Run;

  /** @param index where `run` is found by what it waits for */
  constructor(index: Map<string, Run>, run: Run) {
    this.#index = index;
    this.#run = run;
  }

  /**
   * Gives the row that the prompt has come to, or why there is none. It does not reject: that may
   * come before anybody awaits it, while its prompt is still being stored.
   */
  add(waiting: Waiting): Promise<InteractionRow | ToolError> {
    countWaiting(waiting.call, 1);
    return new Promise((resolve) => {
      this.#waiters.set(waiting.row.id, Object.assign(waiting, { resolve }));
      this.#index.set(waiting.row.id, this.#run);
    });
  }

  has(id: string): boolean {
    return this.#waiters.has(id);
  }

  /** As it was when it began to be waited for. */
  rowOf(id: string): InteractionRow | undefined {
    return this.#waiters.get(id)?.row;
  }

  ids(): Iterable<string> {
    return this.#waiters.keys();
  }

  /** Nothing waits for this prompt any more; gives what did. */
  take(id: string): Waiter | undefined {
    const waiter = this.#waiters.get(id);
    if (!waiter) return undefined;
    this.#waiters.delete(id);
    this.#unindex(id);
    countWaiting(waiter.call, -1);
    return waiter;
  }

  /** Forgets all of them: what they wait for will not come. Gives them, for who tells them so. */
  clear(): Waiter[] {
    const waiters = [...this.#waiters.values()];
    for (const id of this.#waiters.keys()) this.#unindex(id);
    this.#waiters.clear();
    return waiters;
  }

  #unindex(id: string): void {
    if (this.#index.get(id) === this.#run) this.#index.delete(id);
  }
}

import type { InteractionRecord } from "../protocol/index.ts";
import { backoffMs, type Timers } from "./timers.ts";
import type { InboxListener } from "./transport.ts";

const REF = "inbox";

interface Page {
  interactions: InteractionRecord[];
  next?: string;
}

/**
 * The list of what is open, as frames bring it: its first page after each new line, then changes.
 * The rest of a long list is read page by page, and told as changes too.
 */
export class InboxFeed {
  /** Each with whether it has had the list, without which a change means nothing. */
  readonly #listeners = new Map<InboxListener, boolean>();
  readonly #send: (frame: object) => boolean;
  readonly #load: (cursor: string) => Promise<Page>;
  readonly #timers: Timers;
  /** What has changed since the list began: what a page says of these is older. */
  #changed = new Set<string>();
  #tries = 0;
  #stopRetry = () => {};

  constructor(
    send: (frame: object) => boolean,
    load: (cursor: string) => Promise<Page>,
    timers: Timers,
  ) {
    this.#send = send;
    this.#load = load;
    this.#timers = timers;
  }

  watch(listener: InboxListener): () => void {
    this.#listeners.set(listener, false);
    this.askAgain();
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      this.#stopRetry();
      this.#send({ type: "unsubscribe", inbox: true });
    };
  }

  askAgain(): void {
    this.#stopRetry();
    this.#changed = new Set();
    if (this.#listeners.size > 0) this.#send({ type: "subscribe", inbox: true, ref: REF });
  }

  list({ interactions, next }: Page): void {
    this.#changed = new Set();
    for (const listener of [...this.#listeners.keys()]) {
      this.#listeners.set(listener, true);
      listener.list(interactions);
    }
    if (next === undefined) this.#tries = 0;
    else void this.#readOn(next, this.#changed);
  }

  updated(interaction: InteractionRecord): void {
    this.#changed.add(interaction.id);
    this.#tell(interaction);
  }

  /** @param changed of the list that is read on; another one means that it has begun anew */
  async #readOn(from: string, changed: Set<string>): Promise<void> {
    try {
      for (let next: string | undefined = from; next !== undefined;) {
        const page: Page = await this.#load(next);
        if (changed !== this.#changed) return;
        for (const one of page.interactions) if (!changed.has(one.id)) this.#tell(one);
        next = page.next;
      }
      this.#tries = 0;
    } catch {
      if (changed === this.#changed) this.error(REF);
    }
  }

  #tell(interaction: InteractionRecord): void {
    for (const [listener, isListed] of [...this.#listeners]) {
      if (isListed) listener.updated(interaction);
    }
  }

  /** Whether the error was about the inbox. */
  error(ref: unknown): boolean {
    if (ref !== REF) return false;
    this.#stopRetry();
    const wait = backoffMs(this.#tries++, this.#timers);
    this.#stopRetry = this.#timers.timer(wait, () => this.askAgain());
    return true;
  }

  close(): void {
    this.#stopRetry();
    this.#changed = new Set();
    this.#listeners.clear();
  }
}

import type { Core, Who } from "../core/index.ts";
import { type FrameRef, type InteractionRecord, LIMITS } from "../protocol/index.ts";
import type { Outbox } from "./outbox.ts";

/** Everything that waits for an answer, as one client follows it: the whole list, then changes. */
export class Inbox {
  readonly #core: Core;
  readonly #who: Who;
  readonly #outbox: Outbox;
  /** Changes that came while the list was read; they are sent after it. */
  #held: InteractionRecord[] | undefined;
  #followed = false;

  constructor(core: Core, who: Who, outbox: Outbox) {
    this.#core = core;
    this.#who = who;
    this.#outbox = outbox;
  }

  async open(ref?: FrameRef): Promise<void> {
    this.#held = [];
    try {
      const interactions = await this.#readAll();
      this.#outbox.send({ type: "inbox", ref, interactions }, false);
      this.#followed = true;
    } finally {
      const held = this.#held;
      this.#held = undefined;
      for (const interaction of held) this.update(interaction);
    }
  }

  update(interaction: InteractionRecord): void {
    if (this.#held) this.#held.push(interaction);
    else if (this.#followed) this.#outbox.send({ type: "interaction_updated", interaction });
  }

  close(): void {
    this.#followed = false;
  }

  async #readAll(): Promise<InteractionRecord[]> {
    const all: InteractionRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#core.interactions(this.#who, { cursor, limit: LIMITS.listPageMax });
      all.push(...page.interactions);
      cursor = page.next;
    } while (cursor !== undefined);
    return all;
  }
}

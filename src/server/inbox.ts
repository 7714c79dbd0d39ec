import type { Core, Who } from "../core/index.ts";
import { type FrameRef, type InteractionRecord, LIMITS } from "../protocol/index.ts";
import type { Outbox } from "./outbox.ts";
import { sharedText } from "./shared-text.ts";

/**
 * What waits for an answer, as one client follows it: the first page of the list, then changes in
 * all of it. The rest of a long list the client reads by itself, from the page's `next` on.
 */
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
      await this.#sendList(ref);
      this.#followed = true;
    } finally {
      const held = this.#held;
      this.#held = undefined;
      for (const interaction of held) this.update(interaction);
    }
  }

  update(interaction: InteractionRecord): void {
    if (this.#held) this.#held.push(interaction);
    else if (this.#followed) {
      const toText = () => JSON.stringify({ type: "interaction_updated", interaction });
      this.#outbox.sendText(sharedText(interaction, toText), true);
    }
  }

  close(): void {
    this.#followed = false;
  }

  async #sendList(ref?: FrameRef): Promise<void> {
    const page = await this.#core.interactions(this.#who, { limit: LIMITS.listPageMax });
    this.#outbox.send({ type: "inbox", ref, ...page }, false);
  }
}

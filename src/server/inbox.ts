import type { Core, Subscription, Who } from "../core/index.ts";
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
  /** Only while it is followed: others cost nothing when a prompt changes. */
  #watch: Subscription | undefined;
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
    this.#watch ??= this.#core.watch({
      who: this.#who,
      interactionUpdated: (interaction) => this.#update(interaction),
    });
    try {
      await this.#sendList(ref);
      this.#followed = true;
    } finally {
      const held = this.#held;
      this.#held = undefined;
      if (this.#followed) for (const interaction of held) this.#update(interaction);
      else this.close();
    }
  }

  close(): void {
    this.#followed = false;
    this.#watch?.close();
    this.#watch = undefined;
  }

  #update(interaction: InteractionRecord): void {
    if (this.#held) {
      this.#held.push(interaction);
      return;
    }
    const toText = () => JSON.stringify({ type: "interaction_updated", interaction });
    this.#outbox.sendText(sharedText(interaction, toText), true);
  }

  async #sendList(ref?: FrameRef): Promise<void> {
    const page = await this.#core.interactions(this.#who, { limit: LIMITS.listPageMax });
    this.#outbox.send({ type: "inbox", ref, ...page }, false);
  }
}

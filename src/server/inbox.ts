import type { Core, Who } from "../core/index.ts";
import { type FrameRef, type InteractionRecord, jsonBytes, LIMITS } from "../protocol/index.ts";
import type { Outbox } from "./outbox.ts";
import { sharedText } from "./shared-text.ts";

/**
 * Everything that waits for an answer, as one client follows it: the whole list, then changes. What
 * of a long list does not fit into one frame follows as changes, at the pace of the client.
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
      await this.#sendAll(ref);
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

  async #sendAll(ref?: FrameRef): Promise<void> {
    const first: InteractionRecord[] = [];
    let bytes = 0;
    let cursor: string | undefined;
    do {
      const page = await this.#core.interactions(this.#who, { cursor, limit: LIMITS.listPageMax });
      const opensFrame = bytes < LIMITS.queuedBytesPerClient;
      for (const interaction of page.interactions) {
        if (opensFrame) bytes += jsonBytes(first[first.push(interaction) - 1]);
        else this.#outbox.send({ type: "interaction_updated", interaction }, false);
      }
      cursor = page.next;
      const isFull = bytes >= LIMITS.queuedBytesPerClient || cursor === undefined;
      if (opensFrame && isFull)
        this.#outbox.send({ type: "inbox", ref, interactions: first }, false);
      if (isFull && cursor !== undefined) await this.#outbox.drained();
    } while (cursor !== undefined);
  }
}

import type { CorePorts } from "../api.ts";
import type { Changes } from "../ports.ts";

/** How often it is looked what other nodes have changed: a lost hint delays no longer than this. */
export const LOOK_MS = 1_500;

interface ChangeReaderPorts extends Pick<CorePorts, "store" | "log"> {
  isStopping(): boolean;
}

/** Reads what all nodes have changed, with one query each time, and tells it here. */
export class ChangeReader {
  readonly #ports: ChangeReaderPorts;
  readonly #tell: (changes: Changes) => void;
  #cursor: string | undefined;
  #isLooking = false;
  #isAsked = false;

  constructor(ports: ChangeReaderPorts, tell: (changes: Changes) => void) {
    this.#ports = ports;
    this.#tell = tell;
  }

  /** Never rejects: what could not be read is read the next time. */
  async look(): Promise<void> {
    this.#isAsked = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isAsked && !this.#ports.isStopping()) {
        this.#isAsked = false;
        const changes = await this.#ports.store.changes(this.#cursor);
        this.#cursor = changes.cursor;
        this.#isAsked ||= changes.more;
        this.#tell(changes);
      }
    } catch (error) {
      if (!this.#ports.isStopping()) this.#ports.log.warn({ error }, "a look for changes failed");
    } finally {
      this.#isLooking = false;
    }
  }
}

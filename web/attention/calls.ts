import type { InteractionRecord } from "../../src/protocol/index.ts";
import { getPreferences } from "../preferences.ts";
import { notify, notifyOfMany } from "./notify.ts";
import { claim, isLookedAt } from "./one-of-tabs.ts";
import { ring } from "./ring.ts";

/** More at a time are one notification. */
const MOST = 3;
/** How long prompts that come one after the other count as at a time. */
const AT_A_TIME_MS = 400;

/** Calls for a person who looks elsewhere, and takes back what was said of prompts that ended. */
export class Calls {
  /** By prompt: what to do when it has ended. */
  readonly #open = new Map<string, () => void>();
  #gathered: InteractionRecord[] = [];

  async add(fresh: InteractionRecord[], titleOf: (sessionId: string) => string | undefined) {
    const { notify: wanted, sound, interactive } = getPreferences();
    if (fresh.length === 0 || !interactive || !(wanted || sound) || (await isLookedAt())) return;
    this.#gathered.push(...fresh);
    if (this.#gathered.length > fresh.length) return;
    setTimeout(() => {
      const gathered = this.#gathered;
      this.#gathered = [];
      void this.#call(gathered, titleOf);
    }, AT_A_TIME_MS);
  }

  async #call(gathered: InteractionRecord[], titleOf: (sessionId: string) => string | undefined) {
    const { notify: wanted, sound } = getPreferences();
    if (await isLookedAt()) return;
    const mine: InteractionRecord[] = [];
    for (const one of gathered) if (await this.#take(one.id)) mine.push(one);
    if (mine.length === 0) return;
    if (sound) ring();
    if (!wanted) return;
    if (mine.length > MOST) {
      const note = notifyOfMany(mine.length);
      const left = new Set(mine.map(({ id }) => id));
      for (const { id } of mine) {
        this.#whenOver(id, () => left.delete(id) && left.size === 0 && note?.close());
      }
    } else {
      for (const one of mine) {
        const note = notify(one, titleOf(one.sessionId));
        this.#whenOver(one.id, () => note?.close());
      }
    }
  }

  withdrawAllBut(open: ReadonlySet<string>): void {
    this.#gathered = this.#gathered.filter(({ id }) => open.has(id));
    for (const [id, over] of this.#open) {
      if (open.has(id)) continue;
      this.#open.delete(id);
      over();
    }
  }

  #take(id: string): Promise<boolean> {
    const over = new Promise<void>((resolve) => this.#open.set(id, resolve));
    return claim(id, over);
  }

  #whenOver(id: string, then: () => void): void {
    const before = this.#open.get(id);
    // It may have ended while the other tabs were asked.
    if (!before) return then();
    this.#open.set(id, () => {
      before();
      then();
    });
  }
}

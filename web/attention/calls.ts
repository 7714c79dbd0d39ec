import type { InteractionRecord } from "../../src/protocol/index.ts";
import { getPreferences } from "../preferences.ts";
import { notify, notifyOfMany } from "./notify.ts";
import { isLookedAt, takeTurn } from "./one-of-tabs.ts";
import { nextStep, withAlerts } from "./pace.ts";
import { ring } from "./ring.ts";

/** How long prompts that come one after the other count as at a time. */
const AT_A_TIME_MS = 400;

type TitleOf = (sessionId: string) => string | undefined;
interface Fresh {
  prompt: InteractionRecord;
  session: string | undefined;
}

/** Calls for a person who looks elsewhere, and takes back what was said of prompts that ended. */
export class Calls {
  #mine = false;
  #open: ReadonlySet<string> = new Set();
  #gathered: Fresh[] = [];
  #planned = false;
  /** Prompts that a person was told of, as long as that stands. */
  readonly #alone = new Map<string, Notification | undefined>();
  readonly #together = new Map<string, InteractionRecord>();
  #note: { count: number; shown: Notification | undefined } | undefined;
  #alerts: number[] = [];
  #rangAt = -Infinity;

  /** Waits to be the one tab that calls. Returns how to leave that to the others. */
  takeTurn(): () => void {
    return takeTurn((mine) => (this.#mine = mine));
  }

  async add(fresh: InteractionRecord[], titleOf: TitleOf): Promise<void> {
    if (fresh.length === 0 || !isWanted() || (await isLookedAt())) return;
    this.#gathered.push(...fresh.map((prompt) => ({ prompt, session: titleOf(prompt.sessionId) })));
    this.#plan(AT_A_TIME_MS);
  }

  withdrawAllBut(open: ReadonlySet<string>): void {
    this.#open = open;
    this.#gathered = this.#gathered.filter(({ prompt }) => open.has(prompt.id));
    for (const [id, note] of this.#alone) {
      if (open.has(id)) continue;
      this.#alone.delete(id);
      note?.close();
    }
    for (const id of this.#together.keys()) if (!open.has(id)) this.#together.delete(id);
    if (this.#note && this.#together.size === 0) {
      this.#note.shown?.close();
      this.#note = undefined;
    }
    if (this.#note && this.#note.count !== open.size) this.#plan(AT_A_TIME_MS);
  }

  #plan(inMs: number): void {
    if (this.#planned) return;
    this.#planned = true;
    setTimeout(() => {
      this.#planned = false;
      void this.#call();
    }, inMs);
  }

  async #call(): Promise<void> {
    const heard = !this.#mine || !isWanted() || (await isLookedAt());
    if (heard) this.#gathered = [];
    const now = performance.now();
    const told = {
      alone: this.#alone.size,
      together: this.#together.size > 0,
      alerts: this.#alerts,
      rangAt: this.#rangAt,
    };
    const fresh = this.#gathered.filter(({ prompt }) => this.#open.has(prompt.id));
    if (fresh.length === 0) return this.#correctCount();
    const step = nextStep(told, fresh.length, now);
    if (step.how === "later") return this.#plan(step.inMs);
    this.#gathered = [];
    if (step.how === "alone") for (const one of fresh) this.#tellOf(one);
    else this.#tellOfMany(fresh, step.alert);
    if (step.alert) {
      const more = step.how === "alone" ? fresh.length : 1;
      this.#alerts = withAlerts(this.#alerts, more, now);
    }
    if (!step.ring || !getPreferences().sound) return;
    this.#rangAt = now;
    ring();
  }

  #tellOf({ prompt, session }: Fresh): void {
    const note = getPreferences().notify ? notify(prompt, session) : undefined;
    this.#alone.set(prompt.id, note);
    note?.addEventListener("close", () => this.#alone.delete(prompt.id));
  }

  #tellOfMany(fresh: Fresh[], alert: boolean): void {
    for (const { prompt } of fresh) this.#together.set(prompt.id, prompt);
    if (getPreferences().notify) this.#showMany(alert);
  }

  #correctCount(): void {
    if (getPreferences().notify && this.#note && this.#note.count !== this.#open.size)
      this.#showMany(false);
  }

  #showMany(alert: boolean): void {
    const latest = [...this.#together.values()].at(-1);
    if (!latest) return;
    // The one that is replaced is closed by that, and nobody has put it away.
    this.#note = undefined;
    const count = this.#open.size;
    const note = { count, shown: notifyOfMany(count, latest, alert) };
    this.#note = note;
    note.shown?.addEventListener("close", () => {
      if (this.#note !== note) return;
      this.#note = undefined;
      this.#together.clear();
    });
  }
}

function isWanted(): boolean {
  const { notify: wanted, sound, interactive } = getPreferences();
  return interactive && (wanted || sound);
}

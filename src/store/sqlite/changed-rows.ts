import type { Changes, RowId, Table } from "../../core/ports.ts";

/** Of more changes than these it is forgotten which rows they were. */
const MOST = 20_000;
const PAGE = 500;

type Told = "sessions" | "runs" | "interactions";
const TOLD = new Set<Table>(["sessions", "runs", "interactions"]);

/** Which rows changed lately, in order: enough for whoever looks every few seconds. */
export class ChangedRows {
  #log: { table: Told; id: string }[] = [];
  /** How many changes came before the first that is known. */
  #forgotten = 0;
  /** Tells a cursor of this process from one of the last. */
  readonly #life = Math.random().toString(36).slice(2);

  add(table: Table, id: RowId): void {
    if (!TOLD.has(table) || typeof id !== "string") return;
    this.#log.push({ table: table as Told, id });
    if (this.#log.length < 2 * MOST) return;
    this.#forgotten += this.#log.length - MOST;
    this.#log = this.#log.slice(-MOST);
  }

  /** The rows that changed after a cursor: each once, a page of them at most. */
  since(cursor: string | undefined): Omit<Changes, Told> & Record<Told, Set<string>> {
    const end = this.#forgotten + this.#log.length;
    const [life, at] = cursor?.split(" ") ?? [this.#life, end];
    const start = Number(at);
    const isLost = life !== this.#life || start < this.#forgotten;
    const stop = isLost ? end : Math.min(end, start + PAGE);
    const changed = {
      sessions: new Set<string>(),
      runs: new Set<string>(),
      interactions: new Set<string>(),
    };
    const from = isLost ? this.#log.length : start - this.#forgotten;
    for (const { table, id } of this.#log.slice(from, stop - this.#forgotten)) {
      changed[table].add(id);
    }
    return { ...changed, cursor: `${this.#life} ${stop}`, more: stop < end, isLost };
  }
}

import type { Database } from "./database.ts";
import { isOpen } from "./row-lists.ts";
import type { RowMemory } from "./row-memory.ts";
import { placesOf } from "./rows.ts";

const TOTAL = "SELECT count(*) AS open FROM interactions WHERE status IN ('open', 'expiring')";
const BUDGETS = /* sql */ `SELECT sessions.budget_id
  FROM interactions CROSS JOIN sessions ON sessions.id = interactions.session_id
  WHERE interactions.status IN ('open', 'expiring') AND sessions.budget_id IS NOT NULL`;

const STATUS = "SELECT status FROM interactions WHERE id = ?";
const PROMPT = placesOf("interactions");

/** How many prompts are open: counted once, then kept up to date by whoever opens and closes them. */
export class OpenCounts {
  readonly #database: Database;
  #total: number | undefined;
  #budgets: Map<string, number> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  get isKnown(): boolean {
    return this.#total !== undefined;
  }

  count(memory: RowMemory): void {
    this.#total = Number(this.#database.get(TOTAL)?.["open"]);
    const budgets = new Map<string, number>();
    for (const { budget_id: id } of this.#database.iterate(BUDGETS)) {
      budgets.set(String(id), (budgets.get(String(id)) ?? 0) + 1);
    }
    this.#budgets = budgets;
    for (const { isNew, values } of memory.of("interactions").unwritten()) {
      const id = values[PROMPT.id] ?? null;
      const before = isNew ? undefined : this.#database.get(STATUS, id)?.["status"];
      const change = Number(isOpen(values[PROMPT.status])) - Number(isOpen(before));
      if (change === 0) continue;
      const session = memory.of("sessions").find(String(values[PROMPT.sessionId]));
      this.change(change, session?.budgetId ?? null);
    }
  }

  forget(): void {
    this.#total = undefined;
    this.#budgets = undefined;
  }

  change(by: number, budgetId: string | null): void {
    if (this.#total === undefined || !this.#budgets) return;
    this.#total += by;
    if (budgetId !== null) this.#budgets.set(budgetId, this.ofBudget(budgetId) + by);
  }

  total(): number {
    return this.#total ?? 0;
  }

  ofBudget(id: string): number {
    return this.#budgets?.get(id) ?? 0;
  }

  ofBudgets(): number {
    let sum = 0;
    for (const count of this.#budgets?.values() ?? []) sum += count;
    return sum;
  }
}

/** A table that is copied when data moves. */
export interface CopiedTable {
  name: string;
  /** What tells apart two rows of one instant is the order in which they were inserted. */
  isOrdered?: boolean;
  key: readonly string[];
}

/**
 * In an order in which they can be written. Nodes, who is there and what has changed lately belong
 * to the processes that ran, and stay behind.
 */
export const COPIED: readonly CopiedTable[] = [
  { name: "principals", key: ["id"] },
  { name: "tokens", key: ["id"] },
  { name: "sessions", key: ["id"] },
  { name: "runs", key: ["id"], isOrdered: true },
  { name: "events", key: ["session_id", "seq"] },
  { name: "tool_calls", key: ["session_id", "id"], isOrdered: true },
  { name: "journal", key: ["scope_id", "key"] },
  { name: "interactions", key: ["id"], isOrdered: true },
  { name: "responses", key: ["interaction_id", "id"] },
  { name: "grants", key: ["id"] },
];

/** Of how many rows a step is; few enough for a log of large events. */
export const STEP = 200;

export type CopiedRow = Record<string, unknown>;

/** One side of a move, open in one transaction: all of it arrives, or nothing. */
export interface Side {
  /** The columns of a table. */
  columns(table: string): Promise<string[]>;
  isEmpty(): Promise<boolean>;
  read(table: CopiedTable): AsyncIterable<CopiedRow[]>;
  write(table: CopiedTable, columns: string[], rows: CopiedRow[]): Promise<void>;
}

/** Data that cannot be moved, in a sentence that says what to do. */
export class MoveRefused extends Error {
  override name = "MoveRefused";
}

/** Gives the number of rows of each table. */
export async function copy(from: Side, to: Side): Promise<Record<string, number>> {
  if (!(await to.isEmpty())) {
    throw new MoveRefused("There is data where it would be moved to. Move it to an empty place.");
  }
  const counts: Record<string, number> = {};
  for (const table of COPIED) {
    const known = new Set(await to.columns(table.name));
    const columns = (await from.columns(table.name)).filter((column) => known.has(column));
    counts[table.name] = 0;
    for await (const rows of from.read(table)) {
      await to.write(table, columns, rows);
      counts[table.name]! += rows.length;
    }
  }
  return counts;
}

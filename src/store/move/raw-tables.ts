import type { Table } from "../../core/ports.ts";
import { CHAINED } from "../audit/chain.ts";
import type { Kind } from "../tables/describe-table.ts";
import { layoutOf } from "../postgres/layout.ts";

type RawValue = string | number | null;
/** A row as a database has it, by column; a boolean is 0 or 1. */
export type RawRow = Record<string, RawValue>;

export interface RawTable {
  name: string;
  columns: readonly { column: string; kind: Kind }[];
  /** What SQLite and PostgreSQL order it by, so that rows of one instant keep their order. */
  order: { sqlite: string; postgres: string };
}

const byKey = (key: string) => ({ sqlite: key, postgres: key });
const BY_AGE = { sqlite: "rowid", postgres: "n" };

/** All that a store keeps, no row before one that it names. Nodes and presence are of the moment. */
export const RAW_TABLES: readonly RawTable[] = [
  ofCore("principals", byKey("id")),
  ofCore("tokens", byKey("id")),
  ofCore("sessions", byKey("id"), ["last_hash", "chain_id"]),
  ofCore("runs", BY_AGE),
  ofCore("tool_calls", BY_AGE),
  ofCore("interactions", BY_AGE),
  ofCore("responses", byKey("interaction_id, id")),
  ofCore("journal", byKey("scope_id, key")),
  ofCore("grants", byKey("id")),
  { name: "events", columns: eventColumns(), order: byKey("session_id, seq") },
];

function ofCore(name: Table, order: RawTable["order"], more: string[] = []): RawTable {
  const columns = layoutOf(name).columns.map(({ column, kind }) => ({ column, kind }));
  return {
    name,
    columns: [...columns, ...more.map((column) => ({ column, kind: "text" as const }))],
    order,
  };
}

function eventColumns(): RawTable["columns"] {
  const numbers = new Set<string>(["seq", "v", "at"]);
  return [...CHAINED, "hash"].map((column) => ({
    column,
    kind: numbers.has(column) ? "int" : "text",
  }));
}

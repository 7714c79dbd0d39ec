import type { RowId, Table } from "../../core/ports.ts";
import type { Kind } from "../tables/describe-table.ts";
import { TABLES } from "../tables/tables.ts";

interface Column {
  /** In TypeScript. */
  name: string;
  /** In SQL. */
  column: string;
  kind: Kind;
  isWritable: boolean;
}

interface Layout {
  columns: readonly Column[];
  keyColumns: readonly string[];
}

/** Set by the store alone, whatever a write says. */
const COUNTED_BY_STORE = new Set(["version", "lastSeq"]);

const LAYOUTS = new Map<Table, Layout>(
  (Object.keys(TABLES) as Table[]).map((table) => [table, layOut(table)]),
);

function layOut(table: Table): Layout {
  const { key, columns } = TABLES[table] as {
    key: readonly string[];
    columns: Record<string, Kind>;
  };
  return {
    columns: Object.entries(columns).map(([name, kind]) => ({
      name,
      column: toSnake(name),
      kind,
      isWritable: !key.includes(name) && !COUNTED_BY_STORE.has(name),
    })),
    keyColumns: key.map(toSnake),
  };
}

function toSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function layoutOf(table: Table): Layout {
  const layout = LAYOUTS.get(table);
  if (!layout) throw new Error(`There is no table "${table}".`);
  return layout;
}

export function keyOf(id: RowId): readonly string[] {
  return typeof id === "string" ? [id] : id;
}

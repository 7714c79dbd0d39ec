import type { Database, SqlRow, SqlValue } from "../sqlite/database.ts";
import { type CopiedRow, type CopiedTable, type Side, STEP } from "./tables.ts";

export function sqliteSide(database: Database): Side {
  return {
    columns: async (table) =>
      database.all("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => String(name)),
    isEmpty: async () => database.get("SELECT 1 FROM sessions LIMIT 1") === undefined,
    async *read(table) {
      yield* inSteps(database.iterate(`SELECT * FROM ${table.name} ORDER BY ${orderOf(table)}`));
    },
    async write(table, columns, rows) {
      const names = columns.map((column) => `"${column}"`).join(", ");
      const marks = columns.map(() => "?").join(", ");
      // Who signed in to start the move may be there already.
      const sql = `INSERT OR REPLACE INTO ${table.name} (${names}) VALUES (${marks})`;
      for (const row of rows)
        database.write(
          sql,
          columns.map((column) => toSql(row[column])),
        );
    },
  };
}

const orderOf = ({ isOrdered, key }: CopiedTable) => (isOrdered ? "rowid" : key.join(", "));

function* inSteps(rows: Iterable<SqlRow>): Generator<CopiedRow[]> {
  let step: CopiedRow[] = [];
  for (const row of rows) {
    step.push(row);
    if (step.length < STEP) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

const toSql = (value: unknown): SqlValue =>
  typeof value === "boolean" ? Number(value) : ((value ?? null) as SqlValue);

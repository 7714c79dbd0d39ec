import type { Client, QueryConfig } from "pg";
import type { SqlRow } from "../postgres/lane.ts";
import { wellFormed } from "../postgres/rows.ts";
import { type CopiedRow, type CopiedTable, type Side, STEP } from "./tables.ts";

const LONGEST_MS = 24 * 60 * 60 * 1_000;
const COLUMNS = /* sql */ `SELECT column_name AS name FROM information_schema.columns
  WHERE table_schema = 'beckon' AND table_name = $1 AND column_name <> 'n'`;
/** What PostgreSQL alone keeps of a table, and how it is made of what it is given. */
const DERIVED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  runs: { is_ask: "given.is_ask" },
  interactions: {
    budget_id: "(SELECT s.budget_id FROM beckon.sessions s WHERE s.id = given.session_id)",
  },
};

export function postgresSide(client: Client): Side {
  const run = async (text: string, values: unknown[] = []): Promise<SqlRow[]> => {
    const config = { text, values, query_timeout: LONGEST_MS } as QueryConfig;
    return (await client.query<SqlRow>(config)).rows;
  };
  return {
    columns: async (table) => (await run(COLUMNS, [table])).map(({ name }) => String(name)),
    isEmpty: async () => (await run("SELECT 1 FROM beckon.sessions LIMIT 1")).length === 0,
    async *read({ name, key, isOrdered }) {
      const order = isOrdered ? ["n"] : key;
      const cursor = `copied_${name}`;
      await run(`DECLARE ${cursor} NO SCROLL CURSOR FOR
        SELECT * FROM beckon.${name} ORDER BY ${order.join(", ")}`);
      for (;;) {
        const rows = await run(`FETCH ${STEP} FROM ${cursor}`);
        if (rows.length > 0) yield rows;
        if (rows.length < STEP) return;
      }
    },
    async write(table, columns, rows) {
      const derived = DERIVED[table.name] ?? {};
      const names = columns.filter((column) => !(column in derived));
      const values = [...names.map((column) => `given.${column}`), ...Object.values(derived)];
      const sql = /* sql */ `INSERT INTO beckon.${table.name}
        (${[...names, ...Object.keys(derived)].join(", ")}) SELECT ${values.join(", ")}
        FROM jsonb_populate_recordset(NULL::beckon.${table.name}, $1::jsonb) given
        ON CONFLICT DO NOTHING`;
      await run(sql, [JSON.stringify(rows.map((row) => toGiven(table, row)))]);
    },
  };
}

function toGiven({ name }: CopiedTable, row: CopiedRow): CopiedRow {
  const given: CopiedRow = {};
  for (const [column, value] of Object.entries(row)) {
    given[column] = typeof value === "string" ? wellFormed(value) : value;
  }
  if (name === "runs") given["is_ask"] = isAsk(row["state"]);
  return given;
}

const isAsk = (state: unknown): boolean =>
  typeof state === "string" && Object.hasOwn(JSON.parse(state) as object, "ask");

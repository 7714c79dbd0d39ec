import type { Table } from "../../../core/ports.ts";
import { keyColumns, TABLE_NAMES, whereKey, writtenColumns } from "./table-columns.ts";

/** Columns of the store's own, which follow from others. */
const DERIVED: Partial<Record<Table, Record<string, string>>> = {
  interactions: {
    budget_id: "(SELECT s.budget_id FROM beckon.sessions s WHERE s.id = _set->>'session_id')",
  },
};

function insertInto(table: Table): string {
  const derived = DERIVED[table] ?? {};
  const written = writtenColumns(table);
  const keys = keyColumns(table);
  const columns = [...keys, ...written.map(({ column }) => column), ...Object.keys(derived)];
  const values = [
    ...["_key1", "_key2"].slice(0, keys.length),
    ...written.map(({ inserted }) => inserted),
    ...Object.values(derived),
  ];
  return /* sql */ `INSERT INTO beckon.${table} (${columns.join(", ")}, version)
      VALUES (${values.join(", ")}, 1) ON CONFLICT (${keys.join(", ")}) DO NOTHING`;
}

/** What is not named keeps its value, and what is large is not even read. */
function update(table: Table): string {
  const sets = writtenColumns(table).map(
    ({ column, given }) =>
      `${column} = CASE WHEN _set ? '${column}' THEN ${given} ELSE ${table}.${column} END`,
  );
  return /* sql */ `UPDATE beckon.${table} SET
      ${sets.join(",\n      ")},
      version = ${table}.version + 1
      WHERE ${whereKey(table, "_key1", "_key2")}`;
}

/** Writes one row, whose version has been checked. Somebody else may have inserted it meanwhile. */
function putRowOf(table: Table): string {
  return /* sql */ `
CREATE OR REPLACE FUNCTION beckon.put_${table}(_key1 text, _key2 text, _is_new boolean, _set jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF _is_new THEN
    ${insertInto(table)};
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the row was inserted meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  ELSE
    ${update(table)};
  END IF;
END $$;
`;
}

export const putRows = TABLE_NAMES.map(putRowOf).join("");

/** Puts what `write` names. A branch each: one more function between would cost as much as a row. */
export function putRow(write: string): string {
  const branches = TABLE_NAMES.map(
    (table) => /* sql */ `
          WHEN '${table}' THEN PERFORM beckon.put_${table}(
            ${write}->>1, ${write}->>2, ${write}->>3 = '0', ${write}->4);`,
  );
  return /* sql */ `CASE ${write}->>0${branches.join("")}
        END CASE;`;
}

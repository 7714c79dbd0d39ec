import { TABLE_NAMES, whereKey } from "./table-columns.ts";

const branches = TABLE_NAMES.map(
  (table) => /* sql */ `
      WHEN '${table}' THEN
        PERFORM 1 FROM beckon.${table} WHERE ${whereKey(table, "_row->>1", "_row->>2")}
          FOR NO KEY UPDATE;`,
);

/** Locks the named rows in the order in which they are given: every caller has the same. */
export const lockRows = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.lock_rows(_rows jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  _row jsonb;
BEGIN
  FOR _row IN SELECT value FROM jsonb_array_elements(_rows) LOOP
    CASE _row->>0${branches.join("")}
    END CASE;
  END LOOP;
END $$;
`;

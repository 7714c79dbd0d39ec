import { TABLE_NAMES, whereKey } from "./table-columns.ts";

const branches = TABLE_NAMES.map(
  (table) => /* sql */ `
      WHEN '${table}' THEN
        SELECT ${table}.version INTO _version FROM beckon.${table}
          WHERE ${whereKey(table, "_write->>1", "_write->>2")};
        IF coalesce(_version, 0) <> (_write->>3)::bigint THEN
          RETURN jsonb_build_object('conflict', _index, 'row', (SELECT to_jsonb(${table})
            FROM beckon.${table} WHERE ${whereKey(table, "_write->>1", "_write->>2")}));
        END IF;`,
);

/** Why a commit cannot be taken, or null. Its rows are locked. */
export const refuseCommit = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.refuse_commit(_commit jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  _epoch bigint;
  _status text;
  _version bigint;
  _write jsonb;
  _index int := -1;
  _limit jsonb;
  _absence jsonb;
BEGIN
  IF _commit ? 'fence' THEN
    SELECT epoch, status INTO _epoch, _status FROM beckon.runs WHERE id = _commit->'fence'->>0;
    IF _epoch IS DISTINCT FROM (_commit->'fence'->>1)::bigint OR _status = 'ended' THEN
      RETURN jsonb_build_object('fenced', coalesce(_epoch, -1));
    END IF;
  END IF;
  FOR _write IN SELECT value FROM jsonb_array_elements(_commit->'writes') LOOP
    _index := _index + 1;
    CONTINUE WHEN NOT (_write->5)::boolean;
    CASE _write->>0${branches.join("")}
    END CASE;
  END LOOP;
  _index := -1;
  FOR _absence IN SELECT value FROM jsonb_array_elements(_commit->'absent') LOOP
    _index := _index + 1;
    IF beckon.is_present(_absence) THEN
      RETURN jsonb_build_object('present', _index);
    END IF;
  END LOOP;
  _index := -1;
  FOR _limit IN SELECT value FROM jsonb_array_elements(_commit->'limits') LOOP
    _index := _index + 1;
    IF beckon.is_full(_limit, _commit->'counted') THEN
      RETURN jsonb_build_object('full', _index);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
`;

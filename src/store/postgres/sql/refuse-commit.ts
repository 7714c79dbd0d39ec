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
  _writes jsonb := _commit->'writes';
  _write jsonb;
  _index int;
BEGIN
  IF _commit ? 'fence' THEN
    SELECT epoch, status INTO _epoch, _status FROM beckon.runs WHERE id = _commit->'fence'->>0;
    IF _epoch IS DISTINCT FROM (_commit->'fence'->>1)::bigint OR _status = 'ended' THEN
      RETURN jsonb_build_object('fenced', coalesce(_epoch, -1));
    END IF;
  END IF;
  FOR _index IN 0 .. jsonb_array_length(_writes) - 1 LOOP
    _write := _writes->_index;
    CONTINUE WHEN NOT (_write->5)::boolean;
    CASE _write->>0${branches.join("")}
    END CASE;
  END LOOP;
  IF _commit ? 'absent' THEN
    FOR _index IN 0 .. jsonb_array_length(_commit->'absent') - 1 LOOP
      IF beckon.is_present(_commit->'absent'->_index) THEN
        RETURN jsonb_build_object('present', _index);
      END IF;
    END LOOP;
  END IF;
  IF _commit ? 'limits' THEN
    FOR _index IN 0 .. jsonb_array_length(_commit->'limits') - 1 LOOP
      IF beckon.is_full(_commit->'limits'->_index, _commit->'counted') THEN
        RETURN jsonb_build_object('full', _index);
      END IF;
    END LOOP;
  END IF;
  RETURN NULL;
END $$;
`;

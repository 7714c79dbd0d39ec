import { putRow } from "./put-row.ts";

/**
 * Takes several commits, each whole or not at all, in one transaction: `{ now, results }`. A batch
 * that was taken before, by a connection that broke before it could tell, is not taken again.
 */
export const commit = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.beckon_commit(
  _writer text, _batch bigint, _locks jsonb, _commits jsonb
) RETURNS jsonb LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  _last bigint;
  _commit jsonb;
  _writes jsonb;
  _write jsonb;
  _result jsonb;
  _results jsonb;
  _sessions jsonb := '[]';
  _runs jsonb := '[]';
  _interactions jsonb := '[]';
  _is_written boolean := false;
BEGIN
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  PERFORM beckon.lock_rows(_locks);
  -- After the locks: whoever had this batch before has come to an end, one way or the other.
  SELECT batch, results INTO _last, _results FROM beckon.writers WHERE id = _writer;
  IF _last >= _batch THEN
    RETURN jsonb_build_object('now', beckon.beckon_now(), 'results', _results);
  END IF;
  _results := '[]';
  FOR _commit IN SELECT value FROM jsonb_array_elements(_commits) LOOP
    _result := beckon.refuse_commit(_commit);
    IF _result IS NULL THEN
      _writes := _commit->'writes';
      FOR _index IN 0 .. jsonb_array_length(_writes) - 1 LOOP
        _write := _writes->_index;
        ${putRow("_write")}
        _is_written := true;
      END LOOP;
      IF _commit ? 'session' THEN
        _result := to_jsonb(beckon.append_events(_commit->>'session', _commit->'events'));
        _is_written := _is_written OR jsonb_array_length(_commit->'events') > 0;
      ELSE
        _result := '0';
      END IF;
      _sessions := _sessions || (_commit->'changed'->0);
      _runs := _runs || (_commit->'changed'->1);
      _interactions := _interactions || (_commit->'changed'->2);
    END IF;
    _results := _results || jsonb_build_array(_result);
  END LOOP;
  IF _is_written THEN
    INSERT INTO beckon.changes (at, sessions, runs, interactions)
      SELECT beckon.beckon_now(), ARRAY(SELECT DISTINCT jsonb_array_elements_text(_sessions)),
        ARRAY(SELECT DISTINCT jsonb_array_elements_text(_runs)),
        ARRAY(SELECT DISTINCT jsonb_array_elements_text(_interactions))
      WHERE jsonb_array_length(_sessions || _runs || _interactions) > 0;
    INSERT INTO beckon.writers (id, batch, results, seen_at)
      VALUES (_writer, _batch, _results, beckon.beckon_now())
      ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, results = excluded.results,
        seen_at = excluded.seen_at;
  END IF;
  RETURN jsonb_build_object('now', beckon.beckon_now(), 'results', _results);
END $$;
`;

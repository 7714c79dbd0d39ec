/**
 * Whether rows would be added to something of which there is enough. Of each counted row it is given
 * its id, its status afterwards, and of a new one its session, kind and budget.
 */
export const isFull = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.is_full(_limit jsonb, _counted jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  _most bigint := (_limit->>'most')::bigint;
  _session text := _limit->>'sessionId';
  _of_budget boolean := _limit ? 'budgetId';
  _budget text := _limit->>'budgetId';
  _added bigint := 0;
  _there bigint;
  _row jsonb;
  _was record;
BEGIN
  FOR _row IN SELECT value FROM jsonb_array_elements(_counted->(_limit->>'of')) LOOP
    IF _limit->>'of' = 'queuedTurns' THEN
      SELECT session_id, kind = 'turn' AS counts, kind = 'turn' AND status = 'queued' AS counted
        INTO _was FROM beckon.runs WHERE id = _row->>0;
      IF NOT FOUND THEN
        SELECT _row->>2 AS session_id, _row->>3 = 'turn' AS counts, false AS counted INTO _was;
      END IF;
      CONTINUE WHEN _was.session_id <> _session;
      _added := _added + (_was.counts AND _row->>1 = 'queued')::int - _was.counted::int;
    ELSE
      SELECT session_id, budget_id, status IN ('open', 'expiring') AS counted
        INTO _was FROM beckon.interactions WHERE id = _row->>0;
      IF NOT FOUND THEN
        SELECT _row->>2 AS session_id, coalesce(_row->>4,
          (SELECT budget_id FROM beckon.sessions WHERE id = _row->>2)) AS budget_id,
          false AS counted INTO _was;
      END IF;
      CONTINUE WHEN _session IS NOT NULL AND _was.session_id <> _session;
      CONTINUE WHEN _of_budget AND (_was.budget_id IS NULL OR _was.budget_id <> _budget);
      _added := _added + (_row->>1 IN ('open', 'expiring'))::int - _was.counted::int;
    END IF;
  END LOOP;
  IF _added <= 0 THEN
    RETURN false;
  END IF;
  -- Reads no more than it takes to know.
  IF _limit->>'of' = 'queuedTurns' THEN
    SELECT count(*) INTO _there FROM (SELECT 1 FROM beckon.runs
      WHERE session_id = _session AND status = 'queued' AND kind = 'turn' LIMIT _most + 1) q;
  ELSIF _session IS NOT NULL THEN
    SELECT count(*) INTO _there FROM (SELECT 1 FROM beckon.interactions
      WHERE session_id = _session AND status IN ('open', 'expiring') LIMIT _most + 1) q;
  ELSIF NOT _of_budget THEN
    SELECT count(*) INTO _there FROM (SELECT 1 FROM beckon.interactions
      WHERE status IN ('open', 'expiring') LIMIT _most + 1) q;
  ELSIF _budget IS NULL THEN
    SELECT count(*) INTO _there FROM (SELECT 1 FROM beckon.interactions
      WHERE budget_id IS NOT NULL AND status IN ('open', 'expiring') LIMIT _most + 1) q;
  ELSE
    SELECT count(*) INTO _there FROM (SELECT 1 FROM beckon.interactions
      WHERE budget_id = _budget AND status IN ('open', 'expiring') LIMIT _most + 1) q;
  END IF;
  RETURN _there + _added > _most;
END $$;
`;

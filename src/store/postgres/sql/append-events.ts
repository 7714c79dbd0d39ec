/**
 * Appends to the log of a session whose row is locked, and gives its last `seq`. The hash of an event
 * is that of src/store/audit/chain.ts: over the hash before it and each column.
 */
export const appendEvents = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.cell(_value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN _value IS NULL THEN E'-\\n'
  ELSE octet_length(_value)::text || ':' || _value || E'\\n' END $$;

CREATE OR REPLACE FUNCTION beckon.append_events(_session_id text, _events jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  _seq bigint;
  _hash text;
  _chain_id text;
  _event jsonb;
  _hashes text[] := '{}';
  _of text := beckon.cell(_session_id);
BEGIN
  SELECT last_seq, last_hash, coalesce(chain_id, log_id) INTO _seq, _hash, _chain_id
    FROM beckon.sessions WHERE id = _session_id;
  IF jsonb_array_length(_events) = 0 THEN
    RETURN coalesce(_seq, 0);
  END IF;
  IF _seq IS NULL THEN
    RAISE EXCEPTION 'There is no session "%" to append events to.', _session_id;
  END IF;
  _hash := coalesce(_hash, encode(sha256(convert_to(E'beckon audit chain 1\\n' || _of ||
    beckon.cell(_chain_id), 'UTF8')), 'hex'));
  FOR _index IN 0 .. jsonb_array_length(_events) - 1 LOOP
    _event := _events->_index;
    _hash := encode(sha256(convert_to(_hash || E'\\n' || _of || beckon.cell((_seq + 1 + _index)::text) ||
      beckon.cell(_event->>0) || beckon.cell(_event->>1) || beckon.cell(_event->>2) ||
      beckon.cell(_event->>3) || beckon.cell(_event->>4) || beckon.cell(_event->>5) ||
      beckon.cell(_event->>6) || beckon.cell(_event->>7) || beckon.cell(_event->>8) ||
      beckon.cell(_event->>9) || beckon.cell(_event->>10), 'UTF8')), 'hex');
    _hashes := _hashes || _hash;
  END LOOP;
  INSERT INTO beckon.events (session_id, seq, id, v, type, at, turn_id, response_id, call_id,
      interaction_id, actor_id, payload, audit, hash)
    SELECT _session_id, _seq + n, e->>0, (e->>1)::bigint, e->>2, (e->>3)::bigint, e->>4, e->>5,
      e->>6, e->>7, e->>8, e->>9, e->>10, _hashes[n]
    FROM jsonb_array_elements(_events) WITH ORDINALITY AS given (e, n);
  _seq := _seq + jsonb_array_length(_events);
  UPDATE beckon.sessions SET last_seq = _seq, last_hash = _hash WHERE id = _session_id;
  RETURN _seq;
END $$;
`;

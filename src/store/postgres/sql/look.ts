const rowsOf = (table: string) => /* sql */ `(SELECT jsonb_agg(to_jsonb(t)) FROM beckon.${table} t
      WHERE t.id = ANY(ARRAY(SELECT DISTINCT unnest(u.${table}) FROM unseen u)))`;

/**
 * What was not visible to the snapshot of the look before: of transactions that began later, or were
 * under way. So nothing is missed, in whatever order they commit. It is stable: all that it gives is of
 * the one snapshot that it names.
 */
export const look = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.look(_after pg_snapshot, _most bigint)
RETURNS TABLE (snapshot text, now bigint, found bigint, sessions jsonb, runs jsonb,
  interactions jsonb)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY WITH unseen AS MATERIALIZED (
    (SELECT c.sessions, c.runs, c.interactions FROM beckon.changes c
      WHERE c.xid >= pg_snapshot_xmax(_after) ORDER BY c.xid LIMIT _most)
    UNION ALL
    (SELECT c.sessions, c.runs, c.interactions FROM beckon.changes c
      WHERE c.xid = ANY(ARRAY(SELECT pg_snapshot_xip(_after))))
  ) SELECT pg_current_snapshot()::text, beckon.beckon_now(), (SELECT count(*) FROM unseen),
    ${["sessions", "runs", "interactions"].map(rowsOf).join(",\n    ")};
END $$;
`;

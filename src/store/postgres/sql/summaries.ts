/**
 * Sessions with what is going on in them. A function, because its plan is kept: to make one takes
 * longer than to read what it says.
 */
export const summaries = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.summaries(_ids text[])
RETURNS TABLE (session beckon.sessions, open_prompts bigint, live_prompts bigint, active_runs bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY SELECT s, p.open, p.live, (SELECT count(*) FROM beckon.runs r
      WHERE r.session_id = s.id AND r.status IN ('live', 'suspended'))
    FROM beckon.sessions s, LATERAL (
      SELECT count(*) AS open, count(*) FILTER (WHERE i.link = 'live') AS live
      FROM beckon.interactions i WHERE i.session_id = s.id AND i.status IN ('open', 'expiring')
    ) p WHERE s.id = ANY(_ids);
END $$;
`;

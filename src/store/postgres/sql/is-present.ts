import { orphansLike } from "./orphans.ts";

/** Whether there is something that a commit takes not to be there. */
export const isPresent = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.is_present(_absence jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF _absence->>'of' = 'queuedTurns' THEN
    RETURN EXISTS (SELECT FROM beckon.runs WHERE session_id = _absence->>'sessionId'
      AND status = 'queued' AND kind = 'turn');
  END IF;
  RETURN EXISTS (${orphansLike({
    session: "_absence->>'sessionId'",
    tool: "_absence->>'tool'",
    requestDigest: "_absence->>'requestDigest'",
    inputDigest: "_absence->>'inputDigest'",
  })});
END $$;
`;

// A table without a row id keeps its rows where their key belongs, and what is longer than a quarter
// of a page beside them: each commit dirtied several pages for each session. Now events stand in the
// order in which they came, and only a narrow index goes by session.
export const eventsInOrder = /* sql */ `
CREATE TABLE new_events (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  v INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  turn_id TEXT,
  response_id TEXT,
  call_id TEXT,
  interaction_id TEXT,
  actor_id TEXT,
  payload TEXT NOT NULL,
  hash TEXT,
  audit TEXT,
  PRIMARY KEY (session_id, seq)
) STRICT;
INSERT INTO new_events (session_id, seq, id, v, type, at, turn_id, response_id, call_id,
    interaction_id, actor_id, payload, hash, audit)
  SELECT session_id, seq, id, v, type, at, turn_id, response_id, call_id,
    interaction_id, actor_id, payload, hash, audit FROM events ORDER BY session_id, seq;
DROP TABLE events;
ALTER TABLE new_events RENAME TO events;
CREATE INDEX events_decisions ON events (at, session_id, seq) WHERE type = 'interaction_response';
`;

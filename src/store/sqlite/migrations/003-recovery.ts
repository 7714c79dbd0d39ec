export const recovery = /* sql */ `
CREATE INDEX interactions_orphaned ON interactions
  (session_id, tool_name, request_digest, created_at)
  WHERE link = 'orphaned' AND adopted_by_call IS NULL;
ALTER TABLE runs ADD COLUMN lives INTEGER NOT NULL DEFAULT 0;
DROP INDEX principals_by_age;
CREATE INDEX people ON principals (created_at, id) WHERE kind = 'person';
CREATE INDEX runs_active_calls ON runs (id)
  WHERE kind = 'call' AND status IN ('live', 'suspended');
`;

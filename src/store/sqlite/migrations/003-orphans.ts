export const orphans = /* sql */ `
CREATE INDEX interactions_orphaned ON interactions (session_id, tool_name, request_digest, created_at)
  WHERE link = 'orphaned' AND adopted_by_call IS NULL;
`;

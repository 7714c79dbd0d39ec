export const queuedApprovals = /* sql */ `
CREATE INDEX interactions_queued_approvals ON interactions
  (session_id, tool_name, request_digest, created_at)
  WHERE link = 'queued' AND type = 'approval' AND adopted_by_call IS NULL;
`;

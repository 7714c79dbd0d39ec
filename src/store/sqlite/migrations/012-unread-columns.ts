// Nothing reads these: they never held anything, or repeat what another row, the request or the log
// says. Each rewrites its table: together some seconds for 100,000 sessions, each with a prompt.
export const unreadColumns = /* sql */ `
ALTER TABLE principals DROP COLUMN role;
ALTER TABLE tokens DROP COLUMN scopes;
ALTER TABLE sessions DROP COLUMN host;
ALTER TABLE sessions DROP COLUMN parent_session_id;
ALTER TABLE sessions DROP COLUMN parent_call_id;
ALTER TABLE sessions DROP COLUMN taken_position;
ALTER TABLE runs DROP COLUMN end_status;
ALTER TABLE runs DROP COLUMN host;
ALTER TABLE runs DROP COLUMN wakes;
ALTER TABLE tool_calls DROP COLUMN attempt;
ALTER TABLE journal DROP COLUMN epoch;
ALTER TABLE interactions DROP COLUMN kind;
ALTER TABLE interactions DROP COLUMN presentation;
ALTER TABLE interactions DROP COLUMN editable;
ALTER TABLE interactions DROP COLUMN audience;
ALTER TABLE interactions DROP COLUMN required;
ALTER TABLE interactions DROP COLUMN origin;
ALTER TABLE interactions DROP COLUMN native_request_id;
ALTER TABLE interactions DROP COLUMN request_key;
ALTER TABLE interactions DROP COLUMN followup_seq;
ALTER TABLE grants DROP COLUMN effect;
ALTER TABLE grants DROP COLUMN input_digest;
ALTER TABLE grants DROP COLUMN claimed_by_call;
`;

// What a session's chain of hashes begins with, once its log has got another id; else the log's id.
export const chainIds = /* sql */ `
ALTER TABLE sessions ADD COLUMN chain_id TEXT;
`;

// Several processes may share a store. Who is there is known by node: the old column knew only one.
export const nodes = /* sql */ `
CREATE TABLE nodes (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL,
  public_key TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE presence (
  node_id TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  until INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (node_id, principal_id)
) STRICT, WITHOUT ROWID;
INSERT INTO presence (node_id, principal_id, until, version)
  SELECT 'before', id, present_until, 1 FROM principals WHERE present_until IS NOT NULL;
ALTER TABLE principals DROP COLUMN present_until;

ALTER TABLE sessions ADD COLUMN host TEXT;
ALTER TABLE responses ADD COLUMN sealed TEXT;
`;

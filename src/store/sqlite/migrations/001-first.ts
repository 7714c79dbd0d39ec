// A row that an agent or a person can make large lives in a rowid table; small rows and the log,
// which is read in key order, live in their key.
export const first = /* sql */ `
CREATE TABLE principals (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  present_until INTEGER,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX principals_by_age ON principals (created_at, id);

CREATE TABLE tokens (
  id TEXT PRIMARY KEY NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  principal_id TEXT NOT NULL REFERENCES principals,
  kind TEXT NOT NULL,
  session_id TEXT,
  scopes TEXT,
  single_use INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  used_at INTEGER,
  revoked_at INTEGER,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_age ON tokens (created_at, id);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  log_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  cwd TEXT,
  host TEXT,
  owner_id TEXT NOT NULL,
  parent_session_id TEXT,
  parent_call_id TEXT,
  settings TEXT NOT NULL,
  runtime_state TEXT,
  last_seq INTEGER NOT NULL DEFAULT 0,
  taken_position INTEGER NOT NULL DEFAULT 0,
  active_run_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_update ON sessions (updated_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_by_owner ON sessions (owner_id, updated_at DESC, id) WHERE deleted_at IS NULL;

CREATE TABLE runs (
  id TEXT PRIMARY KEY NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions,
  kind TEXT NOT NULL,
  trigger TEXT,
  status TEXT NOT NULL,
  end_status TEXT,
  host TEXT,
  owner TEXT,
  epoch INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER,
  attempt INTEGER NOT NULL DEFAULT 0,
  wakes INTEGER NOT NULL DEFAULT 0,
  position INTEGER,
  state TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_queued ON runs (session_id, position, created_at)
  WHERE status = 'queued' AND kind = 'turn';
CREATE INDEX runs_active ON runs (session_id, created_at) WHERE status IN ('live', 'suspended');
CREATE INDEX runs_by_lease ON runs (coalesce(lease_until, 0)) WHERE status = 'live';
CREATE INDEX runs_by_owner ON runs (owner) WHERE status = 'live';

CREATE TABLE events (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
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
  PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_calls (
  session_id TEXT NOT NULL REFERENCES sessions,
  id TEXT NOT NULL,
  native_id TEXT,
  run_id TEXT NOT NULL,
  parent_call_id TEXT,
  tool TEXT NOT NULL,
  tool_version TEXT,
  origin TEXT NOT NULL,
  caller_id TEXT,
  turn_id TEXT,
  response_id TEXT,
  durable TEXT NOT NULL,
  input TEXT,
  input_digest TEXT NOT NULL,
  effective_input TEXT,
  authorized_by TEXT,
  status TEXT NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  ok INTEGER,
  result TEXT,
  error TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  version INTEGER NOT NULL,
  PRIMARY KEY (session_id, id)
) STRICT;
CREATE INDEX tool_calls_by_run ON tool_calls (run_id, created_at);

CREATE TABLE journal (
  scope_id TEXT NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  digest TEXT,
  value TEXT,
  epoch INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL,
  PRIMARY KEY (scope_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE interactions (
  id TEXT PRIMARY KEY NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions,
  call_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  turn_id TEXT,
  response_id TEXT,
  key TEXT NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 1,
  previous_id TEXT,
  type TEXT NOT NULL,
  kind TEXT,
  presentation TEXT NOT NULL,
  status TEXT NOT NULL,
  link TEXT NOT NULL,
  request TEXT NOT NULL,
  request_digest TEXT NOT NULL,
  action_digest TEXT,
  editable INTEGER NOT NULL DEFAULT 0,
  audience TEXT,
  required INTEGER NOT NULL DEFAULT 1,
  origin TEXT NOT NULL,
  native_request_id TEXT,
  request_key TEXT,
  has_timeout_hook INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  ended_at INTEGER,
  decided_response_id TEXT,
  response TEXT,
  outcome TEXT,
  followup_seq INTEGER,
  adopted_by_call TEXT,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX interactions_of_call ON interactions (session_id, call_id, created_at);
CREATE INDEX interactions_open ON interactions (created_at, id) WHERE status IN ('open', 'expiring');
CREATE INDEX interactions_open_of_session ON interactions (session_id, created_at, id)
  WHERE status IN ('open', 'expiring');
CREATE INDEX interactions_due ON interactions (expires_at, id)
  WHERE status = 'open' AND expires_at IS NOT NULL;

CREATE TABLE responses (
  interaction_id TEXT NOT NULL REFERENCES interactions,
  id TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  token_id TEXT NOT NULL,
  via TEXT NOT NULL,
  action TEXT NOT NULL,
  scope TEXT,
  option_id TEXT,
  input TEXT,
  edited_digest TEXT,
  reason TEXT,
  stop INTEGER NOT NULL DEFAULT 0,
  verdict TEXT NOT NULL,
  late INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (interaction_id, id)
) STRICT;

CREATE TABLE grants (
  id TEXT PRIMARY KEY NOT NULL,
  effect TEXT NOT NULL,
  tool TEXT NOT NULL,
  key TEXT NOT NULL,
  input_digest TEXT,
  scope TEXT NOT NULL,
  session_id TEXT,
  granted_by TEXT NOT NULL,
  interaction_id TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  max_uses INTEGER,
  uses INTEGER NOT NULL DEFAULT 0,
  claimed_by_call TEXT,
  revoked_at INTEGER,
  revoked_by TEXT,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_usable ON grants (created_at, id)
  WHERE revoked_at IS NULL AND (max_uses IS NULL OR uses < max_uses);
CREATE INDEX grants_usable_of_tool ON grants (tool, key, created_at, id)
  WHERE revoked_at IS NULL AND (max_uses IS NULL OR uses < max_uses);

CREATE TABLE counters (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER interaction_opened AFTER INSERT ON interactions
WHEN NEW.status IN ('open', 'expiring')
BEGIN
  INSERT INTO counters (name, value) VALUES ('open', 1), ('open:' || NEW.session_id, 1)
    ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER interaction_closed AFTER UPDATE OF status ON interactions
WHEN OLD.status IN ('open', 'expiring') AND NEW.status NOT IN ('open', 'expiring')
BEGIN
  UPDATE counters SET value = value - 1 WHERE name IN ('open', 'open:' || NEW.session_id);
END;

CREATE TRIGGER interaction_reopened AFTER UPDATE OF status ON interactions
WHEN OLD.status NOT IN ('open', 'expiring') AND NEW.status IN ('open', 'expiring')
BEGIN
  UPDATE counters SET value = value + 1 WHERE name IN ('open', 'open:' || NEW.session_id);
END;

CREATE TABLE health_probes (filler BLOB NOT NULL) STRICT;
`;

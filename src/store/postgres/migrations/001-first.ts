/**
 * Ids are compared byte by byte, as SQLite does. `n` tells which of two rows of one instant came
 * first. What is JSON is kept as the text that was written: an audit hashes its bytes, and `jsonb`
 * would refuse some of them.
 */
export const first = /* sql */ `
CREATE TABLE beckon.principals (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX people ON beckon.principals (created_at, id) WHERE kind = 'person';

CREATE TABLE beckon.tokens (
  id text COLLATE "C" PRIMARY KEY,
  hash text COLLATE "C" NOT NULL UNIQUE,
  principal_id text COLLATE "C" NOT NULL REFERENCES beckon.principals,
  kind text NOT NULL,
  session_id text COLLATE "C",
  parent_id text COLLATE "C",
  single_use boolean NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  used_at bigint,
  revoked_at bigint,
  version bigint NOT NULL
);
CREATE INDEX tokens_by_age ON beckon.tokens (created_at, id);

CREATE TABLE beckon.sessions (
  id text COLLATE "C" PRIMARY KEY,
  log_id text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  title text NOT NULL,
  cwd text,
  host text COLLATE "C",
  owner_id text COLLATE "C" NOT NULL,
  budget_id text COLLATE "C",
  settings text NOT NULL,
  runtime_state text,
  last_seq bigint NOT NULL DEFAULT 0,
  last_hash text,
  chain_id text COLLATE "C",
  active_run_id text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  deleted_at bigint,
  version bigint NOT NULL
);
CREATE INDEX sessions_by_update ON beckon.sessions (updated_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_by_owner ON beckon.sessions (owner_id, updated_at DESC, id)
  WHERE deleted_at IS NULL;
CREATE INDEX sessions_by_budget ON beckon.sessions (budget_id, created_at)
  WHERE budget_id IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE beckon.runs (
  n bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  trigger text,
  status text NOT NULL,
  owner text COLLATE "C",
  epoch bigint NOT NULL,
  lease_until bigint,
  attempt bigint NOT NULL,
  lives bigint NOT NULL,
  position bigint,
  state text,
  is_ask boolean NOT NULL,
  created_at bigint NOT NULL,
  ended_at bigint,
  version bigint NOT NULL
);
CREATE INDEX runs_queued ON beckon.runs (session_id, position, created_at, n)
  WHERE status = 'queued' AND kind = 'turn';
CREATE INDEX runs_active ON beckon.runs (session_id, created_at, n)
  WHERE status IN ('live', 'suspended');
CREATE INDEX runs_active_calls ON beckon.runs (id)
  WHERE kind = 'call' AND status IN ('live', 'suspended');
CREATE INDEX runs_by_lease ON beckon.runs (coalesce(lease_until, 0)) WHERE status = 'live';
CREATE INDEX runs_resting_by_lease ON beckon.runs (lease_until)
  WHERE status = 'suspended' AND lease_until IS NOT NULL;
CREATE INDEX runs_by_owner ON beckon.runs (owner) WHERE status = 'live';
CREATE INDEX runs_resting_by_owner ON beckon.runs (owner)
  WHERE status = 'suspended' AND lease_until IS NOT NULL;

CREATE TABLE beckon.events (
  session_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  v bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  turn_id text COLLATE "C",
  response_id text COLLATE "C",
  call_id text COLLATE "C",
  interaction_id text COLLATE "C",
  actor_id text COLLATE "C",
  payload text NOT NULL,
  audit text,
  hash text COLLATE "C",
  PRIMARY KEY (session_id, seq)
);
CREATE INDEX events_decisions ON beckon.events (at, session_id, seq)
  WHERE type = 'interaction_response';

CREATE TABLE beckon.tool_calls (
  n bigint GENERATED ALWAYS AS IDENTITY,
  session_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  native_id text,
  run_id text COLLATE "C" NOT NULL,
  parent_call_id text COLLATE "C",
  tool text NOT NULL,
  tool_version text,
  origin text NOT NULL,
  caller_id text COLLATE "C",
  turn_id text COLLATE "C",
  response_id text COLLATE "C",
  durable text NOT NULL,
  input text,
  input_digest text COLLATE "C" NOT NULL,
  seed text,
  effective_input text,
  authorized_by text,
  status text NOT NULL,
  ok boolean,
  result text,
  error text,
  created_at bigint NOT NULL,
  ended_at bigint,
  version bigint NOT NULL,
  PRIMARY KEY (session_id, id)
);
CREATE INDEX tool_calls_by_run ON beckon.tool_calls (run_id, created_at, n);

CREATE TABLE beckon.journal (
  scope_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  digest text,
  value text,
  version bigint NOT NULL,
  PRIMARY KEY (scope_id, key)
);

CREATE TABLE beckon.interactions (
  n bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  budget_id text COLLATE "C",
  call_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  tool_name text COLLATE "C" NOT NULL,
  turn_id text COLLATE "C",
  response_id text COLLATE "C",
  key text NOT NULL,
  attempt bigint NOT NULL,
  previous_id text COLLATE "C",
  type text NOT NULL,
  status text NOT NULL,
  link text NOT NULL,
  request text NOT NULL,
  request_digest text COLLATE "C" NOT NULL,
  action_digest text COLLATE "C",
  has_timeout_hook boolean NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  ended_at bigint,
  decided_response_id text COLLATE "C",
  response text,
  outcome text,
  adopted_by_call text COLLATE "C",
  version bigint NOT NULL
);
CREATE INDEX interactions_of_call ON beckon.interactions (session_id, call_id, created_at, n);
CREATE INDEX interactions_open ON beckon.interactions (created_at, id)
  WHERE status IN ('open', 'expiring');
CREATE INDEX interactions_open_of_session ON beckon.interactions (session_id, created_at, id, link)
  WHERE status IN ('open', 'expiring');
CREATE INDEX interactions_open_of_budget ON beckon.interactions (budget_id)
  WHERE budget_id IS NOT NULL AND status IN ('open', 'expiring');
CREATE INDEX interactions_due ON beckon.interactions (expires_at, id)
  WHERE status = 'open' AND expires_at IS NOT NULL;
CREATE INDEX interactions_orphaned ON beckon.interactions
  (session_id, tool_name, request_digest, created_at)
  WHERE link = 'orphaned' AND adopted_by_call IS NULL;
CREATE INDEX interactions_queued_approvals ON beckon.interactions
  (session_id, tool_name, request_digest, created_at)
  WHERE link = 'queued' AND type = 'approval' AND adopted_by_call IS NULL;

CREATE TABLE beckon.responses (
  interaction_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  body_digest text COLLATE "C" NOT NULL,
  principal_id text COLLATE "C" NOT NULL,
  token_id text COLLATE "C" NOT NULL,
  via text NOT NULL,
  action text NOT NULL,
  scope text,
  option_id text,
  input text,
  sealed text,
  edited_digest text COLLATE "C",
  reason text,
  stop boolean NOT NULL,
  verdict text NOT NULL,
  late boolean NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (interaction_id, id)
);

CREATE TABLE beckon.grants (
  id text COLLATE "C" PRIMARY KEY,
  tool text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  scope text NOT NULL,
  session_id text COLLATE "C",
  granted_by text COLLATE "C" NOT NULL,
  interaction_id text COLLATE "C",
  created_at bigint NOT NULL,
  expires_at bigint,
  max_uses bigint,
  uses bigint NOT NULL,
  revoked_at bigint,
  revoked_by text COLLATE "C",
  version bigint NOT NULL
);
CREATE INDEX grants_usable ON beckon.grants (created_at, id)
  WHERE revoked_at IS NULL AND (max_uses IS NULL OR uses < max_uses);
CREATE INDEX grants_usable_of_tool ON beckon.grants (tool, key, created_at, id)
  WHERE revoked_at IS NULL AND (max_uses IS NULL OR uses < max_uses);

CREATE TABLE beckon.nodes (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  public_key text NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL
);

CREATE TABLE beckon.presence (
  node_id text COLLATE "C" NOT NULL,
  principal_id text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (node_id, principal_id)
);

-- Which rows a transaction wrote, for whoever looks for what is new; kept for minutes.
CREATE TABLE beckon.changes (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at bigint NOT NULL,
  sessions text[] NOT NULL,
  runs text[] NOT NULL,
  interactions text[] NOT NULL
);
CREATE INDEX changes_by_transaction ON beckon.changes (xid);
CREATE INDEX changes_by_time ON beckon.changes (at);

-- What each connection that commits has come to: who lost one in the middle asks again.
CREATE TABLE beckon.writers (
  id text COLLATE "C" PRIMARY KEY,
  batch bigint NOT NULL,
  results jsonb,
  seen_at bigint NOT NULL
) WITH (fillfactor = 50);
`;

/**
 * The commits of an ask over `pg` and no more: the same rows and events in the same four
 * transactions, each sent in one piece over one of as many connections as a server has. It checks
 * nothing, reads nothing, answers itself and tells nobody but whoever asked.
 *
 *   node --import tsx bench/postgres/reference.ts URL      prints {"url"} when it listens
 */
import { createHash, randomBytes } from "node:crypto";
import { Client, type ClientConfig } from "pg";
import { listen } from "../bare-server.ts";

const CONNECTIONS = 8;
const TIMEOUT_MS = 300_000;

interface Session {
  id: string;
  seq: number;
  hash: string;
  client: Client;
}
type Statement = [text: string, ...values: (string | number | null)[]];
type Ids = Record<"run" | "call" | "interaction" | "response" | "message", string>;

const [url] = process.argv.slice(2);
const clients = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    const config: ClientConfig & { pipeline: boolean } = {
      connectionString: url,
      pipeline: true,
    };
    const client = new Client(config);
    await client.connect();
    return client;
  }),
);
const names = new Map<string, string>();
let count = 0;
const newId = () => randomBytes(16).toString("base64url");

/** Statements that are sent at once share a transaction and a round trip. */
async function commit({ client }: Session, ...statements: Statement[]): Promise<void> {
  const { stream } = client.connection;
  stream.cork();
  const begun = client.query("BEGIN");
  const prepared = statements.map(([text, ...values]) => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return client.query({ name, text, values });
  });
  const committed = client.query("COMMIT");
  stream.uncork();
  await Promise.all([begun, ...prepared, committed]);
}

/** What the events of an ask carry in bytes, measured at a server. */
const PAYLOAD_BYTES = {
  user_message: 166,
  turn_start: 55,
  tool_call: 115,
  interaction_pending: 148,
  interaction_request: 357,
  interaction_response: 232,
  tool_result: 130,
  text: 80,
  turn_end: 22,
};
type EventType = keyof typeof PAYLOAD_BYTES;
const AUDIT_BYTES = 250;
const EVENT_COLUMNS = 12;

const text = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));

/** Appends to the log of a session, with the hash of each event over the one before it. */
function append(session: Session, ids: Ids, at: number, ...types: EventType[]): Statement[] {
  const values = types.flatMap((type) => {
    const payload = text(PAYLOAD_BYTES[type]);
    const audit = type === "interaction_response" ? text(AUDIT_BYTES) : null;
    const id = newId();
    session.seq++;
    session.hash = createHash("sha256")
      .update(`${session.hash}${session.seq}${id}${payload}${audit}`)
      .digest("hex");
    return [
      ...[session.id, session.seq, id, type, at, ids.run, ids.message, ids.call],
      ...[ids.interaction, payload, audit, session.hash],
    ];
  });
  const rows = types.map((_type, row) => {
    const first = row * EVENT_COLUMNS + 1;
    return `(1, ${Array.from({ length: EVENT_COLUMNS }, (_none, at) => `$${first + at}`).join()})`;
  });
  return [
    [
      `INSERT INTO beckon.events (v, session_id, seq, id, type, at, turn_id, response_id, call_id,
        interaction_id, payload, audit, hash) VALUES ${rows.join()}`,
      ...values,
    ],
    [
      "UPDATE beckon.sessions SET last_seq = $2, last_hash = $3 WHERE id = $1",
      ...[session.id, session.seq, session.hash],
    ],
  ];
}

function journal(scope: string, key: string, bytes: number): Statement {
  return [
    `INSERT INTO beckon.journal (scope_id, key, kind, state, value, version)
      VALUES ($1, $2, 'value', 'done', $3, 1)`,
    ...[scope, key, text(bytes)],
  ];
}

const changeRun = (ids: Ids, status: string): Statement => [
  `UPDATE beckon.runs SET status = $2, owner = 'bare', version = version + 1 WHERE id = $1`,
  ...[ids.run, status],
];
const changeSession = (session: Session, run: string | null, at: number): Statement => [
  `UPDATE beckon.sessions SET active_run_id = $2, updated_at = $3, version = version + 1
    WHERE id = $1`,
  ...[session.id, run, at],
];

async function ask(session: Session): Promise<void> {
  const at = Date.now();
  const ids = {
    ...{ run: newId(), call: newId(), interaction: newId() },
    ...{ response: newId(), message: newId() },
  };
  await commit(
    session,
    [
      `INSERT INTO beckon.runs (id, session_id, kind, trigger, status, owner, epoch, lease_until,
        attempt, lives, state, is_ask, created_at, version)
        VALUES ($1, $2, 'turn', 'user', 'live', 'bare', 1, $3, 0, 0, $4, false, $5, 1)`,
      ...[ids.run, session.id, at + TIMEOUT_MS, text(150), at],
    ],
    journal(`messages:${session.id}`, ids.message, 80),
    changeSession(session, ids.run, at),
    ...append(session, ids, at, "user_message", "turn_start"),
  );
  await commit(
    session,
    [
      `INSERT INTO beckon.tool_calls (session_id, id, run_id, tool, origin, turn_id, response_id,
        durable, input, input_digest, seed, status, created_at, version)
        VALUES ($1, $2, $3, 'ask_user', 'agent', $3, $4, 'replay', $5, $6, $7, 'running', $8, 1)`,
      ...[session.id, ids.call, ids.run, ids.message, text(30), session.hash, text(32), at],
    ],
    journal(ids.run, "call|1", 40),
    [
      `INSERT INTO beckon.interactions (id, session_id, call_id, run_id, tool_name, turn_id,
        response_id, key, attempt, type, status, link, request, request_digest, has_timeout_hook,
        created_at, expires_at, version)
        VALUES ($1, $2, $3, $4, 'ask_user', $4, $5, '|1', 1, 'input', 'open', 'live', $6, $7, false,
          $8, $9, 1)`,
      ...[ids.interaction, session.id, ids.call, ids.run, ids.message, text(357), session.hash],
      ...[at, at + TIMEOUT_MS],
    ],
    changeRun(ids, "suspended"),
    ...append(session, ids, at, "tool_call", "interaction_pending", "interaction_request"),
  );
  await commit(
    session,
    [
      `UPDATE beckon.interactions SET status = 'answered', expires_at = NULL, ended_at = $2,
        decided_response_id = $3, response = $4, version = version + 1 WHERE id = $1`,
      ...[ids.interaction, at, ids.response, text(232)],
    ],
    [
      `INSERT INTO beckon.responses (interaction_id, id, body_digest, principal_id, token_id, via,
        action, input, stop, verdict, late, created_at, version)
        VALUES ($1, $2, $3, 'owner', 'bare', 'ws', 'submit', $4, false, 'accepted', false, $5, 1)`,
      ...[ids.interaction, ids.response, session.hash, text(20), at],
    ],
    changeRun(ids, "live"),
    ...append(session, ids, at, "interaction_response", "interaction_pending"),
  );
  await commit(
    session,
    [
      "UPDATE beckon.interactions SET outcome = $2, version = version + 1 WHERE id = $1",
      ...[ids.interaction, text(60)],
    ],
    [
      `UPDATE beckon.tool_calls SET status = 'ended', ok = true, result = $3, ended_at = $4,
        version = version + 1 WHERE session_id = $1 AND id = $2`,
      ...[session.id, ids.call, text(30), at],
    ],
    journal(ids.run, "block|1", 20),
    changeRun(ids, "ended"),
    changeSession(session, null, at),
    ...append(session, ids, at, "tool_result", "text", "turn_end"),
  );
}

async function makeSession(): Promise<Session> {
  const client = clients[count++ % CONNECTIONS];
  if (!client) throw new Error("There is no connection.");
  const session = { id: newId(), seq: 0, hash: "", client };
  await commit(session, [
    `INSERT INTO beckon.sessions (id, log_id, agent, title, owner_id, settings, created_at,
      updated_at, version) VALUES ($1, $1, 'demo', '', 'owner', '{}', 0, 0, 1)`,
    session.id,
  ]);
  return session;
}

listen((socket) => {
  const session = makeSession();
  const askAndTell = async () => {
    await ask(await session);
    socket.send("ended");
  };
  socket.on("message", () => void askAndTell());
});

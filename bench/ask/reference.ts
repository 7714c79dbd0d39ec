/**
 * The bare reference: one file that does for a turn that asks what has to be done at least, and
 * checks nothing. It writes the rows that Beckon writes into the same tables, all that has come in
 * one turn of the loop in one synced transaction, and sends the frames that Beckon sends, after
 * they are on disk. Two transactions a turn: up to the prompt, and from the answer to the end.
 *
 *   node --import tsx bench/ask/reference.ts DATABASE      prints {"url"} when it listens
 *   node --import tsx bench/ask/reference.ts --echo        the same without any rows
 */
import { createHash, randomBytes } from "node:crypto";
import type { WebSocket } from "ws";
import { openBareDatabase } from "../bare-database.ts";
import { listen } from "../bare-server.ts";

const [path = "--echo"] = process.argv.slice(2);
const { run, commit } = openBareDatabase(path === "--echo" ? undefined : path);

interface Session {
  id: string;
  seq: number;
  hash: string;
  turn: Turn;
}
interface Turn {
  id: string;
  callId: string;
  interactionId: string;
  responseId: string;
}
const sessions = new Map<string, Session>();
const clients = new Set<WebSocket>();
const watchers = new Map<string, WebSocket[]>();
const id = () => randomBytes(16).toString("base64url");

const INSERT_EVENT = `INSERT INTO events (session_id, seq, id, v, type, at, turn_id, response_id, call_id,
  interaction_id, actor_id, payload, audit, hash) VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, NULL, ?, NULL, ?)`;

/** Writes an event and gives the frame that tells of it. */
function event(
  session: Session,
  type: string,
  payload: Record<string, unknown>,
  at: number,
): string {
  const { turn } = session;
  const eventId = id();
  const text = JSON.stringify(payload);
  session.seq++;
  session.hash = createHash("sha256").update(session.hash).update(text).digest("hex");
  const prompted = "interactionId" in payload ? turn.interactionId : null;
  const called = "toolCallId" in payload ? turn.callId : null;
  run(
    INSERT_EVENT,
    session.id,
    session.seq,
    eventId,
    type,
    at,
    turn.id,
    turn.responseId,
    called,
    prompted,
    text,
    session.hash,
  );
  const told = {
    id: eventId,
    seq: session.seq,
    sessionId: session.id,
    timestamp: new Date(at).toISOString(),
    type,
    turnId: turn.id,
    responseId: turn.responseId,
    payload,
  };
  return JSON.stringify({ type: "chat_event", sessionId: session.id, event: told });
}

const toWatchers = (session: Session, frame: string) => () => {
  for (const one of watchers.get(session.id) ?? []) one.send(frame);
};

/** Everybody hears that the session changed, and its watchers what it does. */
function status(session: Session, now: string, at: number): (() => void)[] {
  const timestamp = new Date(at).toISOString();
  const updated = JSON.stringify({
    type: "session_updated",
    session: {
      id: session.id,
      title: "New session",
      agent: "demo",
      permissionMode: "default",
      status: now,
      pendingCount: now === "waiting" ? 1 : 0,
      lastSeq: session.seq,
      createdAt: timestamp,
      updatedAt: timestamp,
    },
  });
  const shown = JSON.stringify({
    type: "chat_event",
    sessionId: session.id,
    event: { sessionId: session.id, timestamp, type: "session_status", payload: { status: now } },
  });
  return [
    () => {
      for (const one of clients) one.send(updated);
    },
    toWatchers(session, shown),
  ];
}

function journal(scope: string, key: string, value: unknown): void {
  run(
    "INSERT INTO journal (scope_id, key, kind, state, value, version) VALUES (?, ?, 'value', 'done', ?, 1)",
    scope,
    key,
    JSON.stringify({ value }),
  );
}

function begin(socket: WebSocket, session: Session, text: string): void {
  const at = Date.now();
  const turn = { id: id(), callId: id(), interactionId: id(), responseId: id() };
  session.turn = turn;
  const messageId = id();
  const tool = { toolCallId: turn.callId, toolName: "ask_user" };
  const input = JSON.parse(text.slice(text.indexOf("{"))) as { question: string };
  const request = {
    ...tool,
    interactionId: turn.interactionId,
    interactionType: "input",
    presentation: "questionnaire",
    prompt: input.question,
    inputSchema: {
      type: "form",
      fields: [{ id: "answer", type: "text", label: "Answer", required: true }],
    },
    timeoutMs: 300_000,
    expiresAt: new Date(at + 300_000).toISOString(),
    attempt: 1,
  };
  const prompted = { ...tool, interactionId: turn.interactionId, presentation: "questionnaire" };
  const told: (() => void)[] = [];
  commit(() => {
    run(
      `INSERT INTO runs (id, session_id, kind, trigger, status, owner, epoch, state, created_at, version)
        VALUES (?, ?, 'turn', 'user', 'suspended', 'bare', 1, ?, ?, 1)`,
      turn.id,
      session.id,
      JSON.stringify({ text, messageId, responseId: turn.responseId }),
      at,
    );
    journal(`messages:${session.id}`, messageId, { text });
    run(
      "UPDATE sessions SET active_run_id = ?, updated_at = ?, version = version + 1 WHERE id = ?",
      turn.id,
      at,
      session.id,
    );
    for (const frame of [
      event(session, "user_message", { text, messageId, source: "user" }, at),
      event(session, "turn_start", { trigger: "user", messageId }, at),
    ]) {
      told.push(toWatchers(session, frame));
    }
    told.push(...status(session, "running", at));
    told.push(() => socket.send(JSON.stringify({ type: "ack", messageId })));
    run(
      `INSERT INTO tool_calls (session_id, id, run_id, tool, origin, turn_id, response_id, durable, input,
        input_digest, status, created_at, version) VALUES (?, ?, ?, 'ask_user', 'agent', ?, ?, 'replay', ?, ?, 'running', ?, 1)`,
      session.id,
      turn.callId,
      turn.id,
      turn.id,
      turn.responseId,
      JSON.stringify(input),
      session.hash,
      at,
    );
    journal(turn.id, "call|1", turn.callId);
    told.push(
      toWatchers(session, event(session, "tool_call", { ...tool, input, origin: "agent" }, at)),
    );
    journal(turn.callId, "prompt|1", turn.interactionId);
    run(
      `INSERT INTO interactions (id, session_id, call_id, run_id, tool_name, turn_id, response_id, key, type,
        status, link, request, request_digest, created_at, expires_at, version)
        VALUES (?, ?, ?, ?, 'ask_user', ?, ?, '|1', 'input', 'open', 'live', ?, ?, ?, ?, 1)`,
      turn.interactionId,
      session.id,
      turn.callId,
      turn.id,
      turn.id,
      turn.responseId,
      JSON.stringify(request),
      session.hash,
      at,
      at + 300_000,
    );
    for (const frame of [
      event(session, "interaction_pending", { ...prompted, pending: true }, at),
      event(session, "interaction_request", request, at),
    ]) {
      told.push(toWatchers(session, frame));
    }
    wrote(session);
    told.push(...status(session, "waiting", at));
  }, told);
}

function answer(socket: WebSocket, session: Session, frame: Record<string, unknown>): void {
  const at = Date.now();
  const { turn } = session;
  const tool = { toolCallId: turn.callId, toolName: "ask_user" };
  const input = frame["input"] as Record<string, unknown>;
  const answerId = String(frame["responseId"]);
  const response = {
    toolCallId: turn.callId,
    interactionId: turn.interactionId,
    answerId,
    action: "submit",
    input,
    responder: { id: "owner", name: "owner", clientId: "bench" },
  };
  const result = { ok: true, answer: input["answer"] };
  const pending = { ...tool, interactionId: turn.interactionId, presentation: "questionnaire" };
  const told: (() => void)[] = [];
  commit(() => {
    run(
      `UPDATE interactions SET status = 'answered', response = ?, decided_response_id = ?, ended_at = ?,
        expires_at = NULL, outcome = ?, version = version + 1 WHERE id = ?`,
      JSON.stringify(response),
      answerId,
      at,
      JSON.stringify({ complete: result }),
      turn.interactionId,
    );
    run(
      `INSERT INTO responses (interaction_id, id, body_digest, principal_id, token_id, via, action, input,
        verdict, created_at, version) VALUES (?, ?, ?, 'owner', 'bare', 'ws', 'submit', ?, 'accepted', ?, 1)`,
      turn.interactionId,
      answerId,
      session.hash,
      JSON.stringify(input),
      at,
    );
    for (const one of [
      event(session, "interaction_response", response, at),
      event(session, "interaction_pending", { ...pending, pending: false }, at),
    ]) {
      told.push(toWatchers(session, one));
    }
    told.push(...status(session, "running", at));
    told.push(() =>
      socket.send(
        JSON.stringify({
          type: "interaction_result",
          interactionId: turn.interactionId,
          responseId: answerId,
          ok: true,
          response,
        }),
      ),
    );
    run(
      "UPDATE tool_calls SET status = 'ended', ok = 1, result = ?, ended_at = ?, version = version + 1 WHERE session_id = ? AND id = ?",
      JSON.stringify(result),
      at,
      session.id,
      turn.callId,
    );
    told.push(
      toWatchers(session, event(session, "tool_result", { ...tool, ok: true, result }, at)),
    );
    journal(turn.id, "block|1", null);
    const text = `ask_user ended with ${JSON.stringify(result)}`;
    told.push(toWatchers(session, event(session, "text", { text }, at)));
    run(
      "UPDATE runs SET status = 'ended', ended_at = ?, version = version + 1 WHERE id = ?",
      at,
      turn.id,
    );
    run(
      "UPDATE sessions SET active_run_id = NULL, updated_at = ?, version = version + 1 WHERE id = ?",
      at,
      session.id,
    );
    told.push(toWatchers(session, event(session, "turn_end", { status: "completed" }, at)));
    wrote(session);
    told.push(...status(session, "idle", at));
  }, told);
}

function wrote({ id: sessionId, seq, hash }: Session): void {
  run("UPDATE sessions SET last_seq = ?, last_hash = ? WHERE id = ?", seq, hash, sessionId);
}

function make(): Session {
  const session = {
    id: id(),
    seq: 0,
    hash: "",
    turn: { id: "", callId: "", interactionId: "", responseId: "" },
  };
  run(
    `INSERT INTO sessions (id, log_id, agent, owner_id, settings, created_at, updated_at, version)
      VALUES (?, ?, 'demo', 'owner', '{}', 0, 0, 1)`,
    session.id,
    id(),
  );
  sessions.set(session.id, session);
  return session;
}

listen((socket) => {
  clients.add(socket);
  socket.on("close", () => clients.delete(socket));
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Record<string, unknown>;
    if (frame["type"] === "make") socket.send(JSON.stringify({ type: "made", session: make() }));
    if (frame["type"] === "hello") {
      const wanted = frame["subscriptions"] as { sessionId: string }[];
      for (const { sessionId } of wanted) {
        watchers.set(sessionId, [...(watchers.get(sessionId) ?? []), socket]);
        socket.send(JSON.stringify({ type: "subscribed", session: sessions.get(sessionId) }));
      }
    }
    const session = sessions.get(String(frame["sessionId"]));
    if (session && frame["type"] === "user_message") begin(socket, session, String(frame["text"]));
    if (session && frame["type"] === "tool_interaction_response") answer(socket, session, frame);
  });
});

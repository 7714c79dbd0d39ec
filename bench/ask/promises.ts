/**
 * What the promises need, and no more: the message, the request, the response, the result and the
 * end as entries of a log whose hashes form a chain, one row each of run, call and interaction, two
 * synced transactions, and the frames of those entries, sent after they are on disk. It checks
 * nothing. An operation that asks over HTTP needs the same without message, run and end.
 *
 *   node --import tsx bench/ask/promises.ts DATABASE      prints {"url"} when it listens
 */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { WebSocket } from "ws";
import { openBareDatabase } from "../bare-database.ts";
import { listen } from "../bare-server.ts";

const { exec, run, commit } = openBareDatabase(process.argv[2]);
exec(`
  CREATE TABLE log (session_id TEXT, seq INTEGER, event TEXT, hash TEXT,
    PRIMARY KEY (session_id, seq)) WITHOUT ROWID;
  CREATE TABLE runs (number INTEGER PRIMARY KEY, session_id TEXT, message TEXT, status TEXT);
  CREATE TABLE calls (number INTEGER PRIMARY KEY, id TEXT, tool TEXT, input TEXT, result TEXT,
    status TEXT);
  CREATE TABLE interactions (number INTEGER PRIMARY KEY, id TEXT, request TEXT, response TEXT,
    status TEXT, expires_at INTEGER);
`);

interface Session {
  id: string;
  seq: number;
  hash: string;
  watchers: WebSocket[];
}
/** What waits for an answer. */
interface Waiting {
  session: Session;
  number: number;
  tool: { toolCallId: string; toolName: string };
  /** Only a call over HTTP has somebody to reply to; only a turn has an end. */
  reply?: ServerResponse;
}
const sessions = new Map<string, Session>();
const waiting = new Map<string, Waiting>();
const id = () => randomBytes(16).toString("base64url");
const TIMEOUT_MS = 300_000;
let count = 0;

/** Writes an entry of the log, and gives what tells of it. */
function entry(session: Session, type: string, payload: object, at: number): () => void {
  const event = JSON.stringify({
    id: id(),
    seq: ++session.seq,
    sessionId: session.id,
    timestamp: new Date(at).toISOString(),
    type,
    payload,
  });
  session.hash = createHash("sha256").update(session.hash).update(event).digest("hex");
  run("INSERT INTO log VALUES (?, ?, ?, ?)", session.id, session.seq, event, session.hash);
  return () => {
    const frame = `{"type":"chat_event","sessionId":"${session.id}","event":${event}}`;
    for (const watcher of session.watchers) watcher.send(frame);
  };
}

function ask(session: Session, input: string, of: { message: string } | { reply: ServerResponse }) {
  const at = Date.now();
  const number = ++count;
  const interactionId = id();
  const tool = { toolCallId: id(), toolName: "ask_user" };
  const request = {
    ...tool,
    interactionId,
    interactionType: "input",
    presentation: "questionnaire",
    inputSchema: {
      type: "form",
      fields: [{ id: "answer", type: "text", label: "Which colour?", required: true }],
    },
    timeoutMs: TIMEOUT_MS,
    expiresAt: new Date(at + TIMEOUT_MS).toISOString(),
    attempt: 1,
  };
  waiting.set(interactionId, { session, number, tool, ...("reply" in of && of) });
  const told: (() => void)[] = [];
  commit(() => {
    if ("message" in of) {
      run("INSERT INTO runs VALUES (?, ?, ?, 'waiting')", number, session.id, of.message);
      told.push(entry(session, "user_message", { text: of.message, source: "user" }, at));
    }
    const { toolCallId, toolName } = tool;
    run(
      "INSERT INTO calls VALUES (?, ?, ?, ?, NULL, 'waiting')",
      number,
      toolCallId,
      toolName,
      input,
    );
    run(
      "INSERT INTO interactions VALUES (?, ?, ?, NULL, 'open', ?)",
      number,
      interactionId,
      JSON.stringify(request),
      at + TIMEOUT_MS,
    );
    told.push(entry(session, "interaction_request", request, at));
  }, told);
}

function answer(interactionId: string, frame: Record<string, unknown>): void {
  const at = Date.now();
  const asked = waiting.get(interactionId);
  if (!asked) return;
  waiting.delete(interactionId);
  const { session, number, tool, reply } = asked;
  const input = frame["input"] as Record<string, unknown>;
  const response = { ...tool, interactionId, action: "submit", input, responder: { id: "owner" } };
  const result = { ok: true, answer: input["answer"] };
  const told: (() => void)[] = [];
  commit(() => {
    run(
      "UPDATE interactions SET status = 'answered', response = ? WHERE number = ?",
      JSON.stringify(response),
      number,
    );
    told.push(entry(session, "interaction_response", response, at));
    run(
      "UPDATE calls SET status = 'ended', result = ? WHERE number = ?",
      JSON.stringify(result),
      number,
    );
    told.push(entry(session, "tool_result", { ...tool, ok: true, result }, at));
    if (reply) {
      told.push(() => {
        reply.writeHead(200, { "content-type": "application/json" });
        reply.end(JSON.stringify({ ok: true, result }));
      });
    } else {
      run("UPDATE runs SET status = 'ended' WHERE number = ?", number);
      told.push(entry(session, "turn_end", { status: "completed" }, at));
    }
  }, told);
}

function make(): { id: string } {
  const session = { id: id(), seq: 0, hash: "", watchers: [] };
  sessions.set(session.id, session);
  return { id: session.id };
}

function take(socket: WebSocket, frame: Record<string, unknown>): void {
  if (frame["type"] === "make") socket.send(JSON.stringify({ type: "made", session: make() }));
  if (frame["type"] === "hello") {
    for (const { sessionId } of frame["subscriptions"] as { sessionId: string }[]) {
      sessions.get(sessionId)?.watchers.push(socket);
      socket.send(JSON.stringify({ type: "subscribed", session: { id: sessionId } }));
    }
  }
  const session = sessions.get(String(frame["sessionId"]));
  if (session && frame["type"] === "user_message") {
    const message = String(frame["text"]);
    ask(session, message.slice(message.indexOf("{")), { message });
  }
  if (frame["type"] === "tool_interaction_response") answer(String(frame["interactionId"]), frame);
}

async function takeCall(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const session = sessions.get(String(request.headers["x-session-id"]));
  if (session) ask(session, await readText(request), { reply });
  else reply.writeHead(404).end();
}

listen(
  (socket) => {
    socket.on("message", (data: Buffer) =>
      take(socket, JSON.parse(data.toString()) as Record<string, unknown>),
    );
  },
  (request, reply) => void takeCall(request, reply),
);

/**
 * The bare replay: reads the rows of a session and sends each as the frame that Beckon sends.
 *
 *   node --import tsx bench/replay/reference.ts DATABASE      prints {"url"} when it listens
 */
import { DatabaseSync } from "@photostructure/sqlite";
import { listen } from "../bare-server.ts";

interface Row {
  id: string;
  seq: number;
  session_id: string;
  at: number;
  turn_id: string;
  type: string;
  payload: string;
}

const database = new DatabaseSync(process.argv[2] ?? "", { readOnly: true });
const SELECT =
  "SELECT id, seq, session_id, at, turn_id, type, payload FROM events WHERE session_id = ? ORDER BY seq";

function toFrame(row: Row): string {
  const event =
    `{"id":"${row.id}","seq":${row.seq},"sessionId":"${row.session_id}",` +
    `"timestamp":"${new Date(row.at).toISOString()}","turnId":"${row.turn_id}",` +
    `"type":"${row.type}","payload":${row.payload}}`;
  return `{"type":"chat_event","sessionId":"${row.session_id}","event":${event}}`;
}

listen((socket) => {
  socket.on("message", (data: Buffer) => {
    const { type, sessionId } = JSON.parse(data.toString()) as { type: string; sessionId: string };
    if (type === "hello") return socket.send('{"type":"welcome"}');
    const rows = database.prepare(SELECT).iterate(sessionId);
    for (const row of rows) socket.send(toFrame(row));
  });
});

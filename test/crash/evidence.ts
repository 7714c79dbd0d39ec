import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { SECRET } from "./stories.ts";

type Json = any;

interface InteractionEvidence {
  id: string;
  call_id: string;
  status: string;
  type: string;
  decided_response_id: string | null;
  adopted_by_call: string | null;
  response: Json;
  outcome: Json;
}

export interface CallEvidence {
  id: string;
  tool: string;
  durable: string;
  authorized_by: string | null;
  status: string;
  ok: number | null;
  input: Json;
  result: Json;
  error: Json;
  /** How often the run that it belongs to was entered in a row. */
  run_attempt: number;
  run_status: string;
}

interface ResponseEvidence {
  interaction_id: string;
  id: string;
  verdict: string;
  action: string;
  input: Json;
}

interface JournalEvidence {
  scope_id: string;
  key: string;
  kind: string;
  state: string;
  value: Json;
}

/** One line that a tool's step wrote into the outside world. */
export interface Effect {
  sessionId: string;
  toolCallId: string;
  /** The interaction in whose hook it ran, or nothing. */
  at: string;
  name: string;
  nonce: string;
  /** What `ctx.uuid()` and `ctx.now()` gave it. */
  key: string;
  time: number;
}

/** What the disk knows of one session. */
export interface Evidence {
  interactions: InteractionEvidence[];
  calls: CallEvidence[];
  responses: ResponseEvidence[];
  journal: JournalEvidence[];
  grants: { id: string; tool: string; session_id: string | null }[];
  effects: Effect[];
}

/** What a server keeps, as somebody sees it who is not the server. */
export interface Kept {
  /** Where, if it is not the data directory. */
  readonly store?: string;
  /** Notes from now on every change of what must never change (I6). */
  watchSettled(): void | Promise<void>;
  readChanges(): string[] | Promise<string[]>;
  /** To be called while the server is there; gives what is known of each session. */
  readEvidence(): ((sessionId: string) => Evidence) | Promise<(sessionId: string) => Evidence>;
  /** Where a secret is kept, which may be nowhere, not even for a moment. */
  readLeaks(): string[] | Promise<string[]>;
}

/** SQLite in its data directory. */
export function keptInDirectory(directory: string): Kept {
  return {
    watchSettled: () => watchSettled(directory),
    readChanges: () => readChanges(directory),
    readEvidence() {
      const effects = groupBy(readEffects(directory), ({ sessionId }) => sessionId);
      return (id) => ({ ...readRows(directory, id), effects: effects.get(id) ?? [] });
    },
    readLeaks: () => readLeaks(directory),
  };
}

/** Each would be a change of something that was settled; the database itself keeps watch. */
const SETTLED: [table: string, change: string, when: string][] = [
  ["events", "UPDATE", "1"],
  ["events", "DELETE", "1"],
  ["responses", "UPDATE", "1"],
  ["responses", "DELETE", "1"],
  ["journal", "UPDATE", "1"],
  ["journal", "DELETE", "1"],
  ["interactions", "DELETE", "1"],
  ["interactions", "UPDATE OF outcome", "OLD.outcome IS NOT NULL"],
  ["interactions", "UPDATE OF response", "OLD.response IS NOT NULL"],
  ["interactions", "UPDATE OF request", "NEW.request IS NOT OLD.request"],
  ["tool_calls", "UPDATE OF status, ok, result, error", "OLD.status = 'ended'"],
];

function open(directory: string) {
  return new DatabaseSync(join(directory, "data", "beckon.db"), { timeout: 10_000 });
}

function watchSettled(directory: string): void {
  const database = open(directory);
  database.exec("CREATE TABLE IF NOT EXISTS crash_changes (what TEXT NOT NULL)");
  for (const [index, [table, change, when]] of SETTLED.entries()) {
    database.exec(`CREATE TRIGGER IF NOT EXISTS crash_watch_${index} BEFORE ${change} ON ${table}
      WHEN ${when} BEGIN INSERT INTO crash_changes VALUES ('${change} on ${table}'); END`);
  }
  database.close();
}

function readChanges(directory: string): string[] {
  const database = open(directory);
  const rows = database.prepare("SELECT what FROM crash_changes").all() as { what: string }[];
  database.close();
  return rows.map(({ what }) => what);
}

/** While the server is there: whoever closes last would tidy up the file for it. */
function readRows(directory: string, id: string): Omit<Evidence, "effects"> {
  const database = open(directory);
  const all = (sql: string, ...values: string[]) =>
    (database.prepare(sql).all(...values) as Record<string, Json>[]).map(parseColumns) as Json[];
  const rows = {
    interactions: all("SELECT * FROM interactions WHERE session_id = ?", id),
    calls: all(
      `SELECT tool_calls.*, runs.attempt AS run_attempt, runs.status AS run_status
       FROM tool_calls JOIN runs ON runs.id = tool_calls.run_id WHERE tool_calls.session_id = ?`,
      id,
    ),
    responses: all(
      `SELECT responses.* FROM responses
       JOIN interactions ON interactions.id = responses.interaction_id WHERE session_id = ?`,
      id,
    ),
    // Zero is the character after the slash: all scopes that begin with the session's id.
    journal: all("SELECT * FROM journal WHERE scope_id > ? AND scope_id < ?", `${id}/`, `${id}0`),
    grants: all("SELECT * FROM grants WHERE session_id = ? OR session_id IS NULL", id),
  };
  database.close();
  return rows;
}

function readLeaks(directory: string): string[] {
  const data = join(directory, "data");
  return readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(data, entry.name)).includes(SECRET))
    .map((entry) => `a secret is in ${entry.name}`);
}

/** `Map.groupBy`, which Node 20 does not have. */
export function groupBy<Item>(items: Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

export function readEffects(directory: string): Effect[] {
  const lines = readFileSync(join(directory, "effects"), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Effect);
}

/** Steps of handlers and hooks that ran more than once, and how many there are in all. */
export function countRepeats(directory: string): { steps: number; repeated: string[] } {
  const steps = groupBy(readEffects(directory), ({ sessionId, toolCallId, at, name }) =>
    [sessionId, toolCallId, at, name].join(" "),
  );
  const repeated = [...steps].filter(([, effects]) => effects.length > 1);
  return { steps: steps.size, repeated: repeated.map(([name]) => name) };
}

const JSON_COLUMNS = new Set([
  "request",
  "response",
  "outcome",
  "input",
  "result",
  "error",
  "value",
]);

export function parseColumns(row: Record<string, Json>): Record<string, Json> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    JSON_COLUMNS.has(name) && typeof value === "string" ? JSON.parse(value) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, Json>;
}

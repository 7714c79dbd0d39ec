import type { Client } from "pg";
import { CHAINED } from "../../audit/chain.ts";
import {
  changedRow,
  type ChainedRow,
  ChainWalk,
  type KnownHead,
  seqOf,
  wrongCount,
} from "../../audit/chain-walk.ts";
import {
  DecisionLog,
  differenceOf,
  type LoggedDecision,
  unloggedAnswer,
} from "../../audit/decision-check.ts";
import { type HeadSource, readHeadCopy } from "../../audit/head-file.ts";
import type { AuditProblem } from "../../audit/problem.ts";
import type { SqlRow } from "../lane.ts";
import { fromRow } from "../rows.ts";
import type { PostgresSettings } from "../settings.ts";
import { withAudit } from "./open-audit.ts";

interface VerifyOptions extends PostgresSettings {
  /** Only this one. */
  sessionId?: string;
  /** Heads that were exported before: what they know must still be so. */
  against?: string;
}

interface Summary {
  sessions: number;
  /** Those that are good. */
  events: number;
  problems: number;
}

type Report = (problem: Omit<AuditProblem, "sessionId">) => void;

const PAGE = 500;
const ROWS = /* sql */ `SELECT ${CHAINED.join(", ")}, hash FROM beckon.events
  WHERE session_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT ${PAGE}`;
const BEFORE_ANY = Number.MIN_SAFE_INTEGER;
const SESSION = "SELECT * FROM beckon.sessions WHERE id = $1";
const NEXT_SESSION = /* sql */ `SELECT least(
  (SELECT id FROM beckon.sessions WHERE id > $1 ORDER BY id LIMIT 1),
  (SELECT session_id FROM beckon.events WHERE session_id > $1 ORDER BY session_id LIMIT 1)) AS id`;
const INTERACTION = "SELECT * FROM beckon.interactions WHERE id = $1";
const RESPONSE = "SELECT * FROM beckon.responses WHERE interaction_id = $1 AND id = $2";
const DECIDED = /* sql */ `SELECT i.id, r.id AS answer
  FROM beckon.interactions i LEFT JOIN beckon.responses r
    ON r.interaction_id = i.id AND r.verdict = 'decided'
  WHERE i.session_id = $1 AND (i.response IS NOT NULL OR r.id IS NOT NULL)`;

/**
 * Recomputes every chain, and compares it with heads that were exported, and the decisions with the
 * tables. Works beside running servers. `found` hears of each problem, at most one a session for its
 * chain. Without exported heads it finds what was changed here and there, but not what somebody
 * changed who computed all that follows anew.
 */
export async function verifyPostgresAudit(
  { sessionId, against, ...settings }: VerifyOptions,
  found: (problem: AuditProblem) => void,
): Promise<Summary> {
  const summary: Summary = { sessions: 0, events: 0, problems: 0 };
  const sources = against === undefined ? [] : [readHeadCopy(against)];
  await withAudit(settings, async (client) => {
    const known = sources.flatMap(({ heads }) => [...heads.keys()]);
    const ids = sessionId === undefined ? sessionIds(client, new Set(known)) : [sessionId];
    for await (const id of ids) {
      summary.sessions++;
      summary.events += await verifySession(client, id, headsOf(sources, id), (problem) => {
        summary.problems++;
        found({ ...problem, sessionId: id });
      });
    }
  });
  return summary;
}

function headsOf(sources: HeadSource[], sessionId: string): KnownHead[] {
  return sources.flatMap(({ name, heads }) => {
    const head = heads.get(sessionId);
    return head ? [{ ...head, source: name }] : [];
  });
}

/** Of every session that has a row, an event or a known head, in order. */
export async function* sessionIds(client: Client, known: Set<string>): AsyncGenerator<string> {
  for (let last = ""; ;) {
    const { rows } = await client.query<{ id: string | null }>(NEXT_SESSION, [last]);
    const next = rows[0]?.id;
    if (typeof next !== "string") break;
    known.delete(next);
    yield next;
    last = next;
  }
  yield* known;
}

/** Gives the number of good events, counted from the first. */
async function verifySession(
  client: Client,
  sessionId: string,
  heads: KnownHead[],
  report: Report,
): Promise<number> {
  // One view of the session's rows, whatever the servers do meanwhile.
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return await verifyRows(client, sessionId, heads, report);
  } finally {
    await client.query("ROLLBACK");
  }
}

/** The same in a transaction of the caller's. */
export async function verifyRows(
  client: Client,
  sessionId: string,
  heads: KnownHead[],
  report: Report,
): Promise<number> {
  const { rows } = await client.query<SqlRow>(SESSION, [sessionId]);
  const session = rows[0];
  if (!session) {
    report({ problem: "session_missing", message: "The whole session is missing." });
    return 0;
  }
  const chainId = String(session["chain_id"] ?? session["log_id"]);
  const walk = new ChainWalk({ id: sessionId, chainId }, heads);
  const log = new DecisionLog();
  for await (const row of rowsAfter(client, sessionId, BEFORE_ANY)) {
    const seq = seqOf(row);
    const problem = walk.next(row);
    if (problem) {
      const isChanged = problem === "changed";
      const place = isChanged ? await placeOf(client, sessionId, walk, seq) : undefined;
      report(isChanged ? changedRow(seq, place) : problem);
      return walk.last.seq;
    }
    const decision = log.see(row, seq);
    if (decision) await checkDecision(client, decision, report);
  }
  const cut = walk.end();
  if (cut) {
    report(cut);
    return walk.last.seq;
  }
  const { rows: decided } = await client.query<SqlRow>(DECIDED, [sessionId]);
  for (const { id, answer } of decided) {
    if (log.has(id as string, answer as string | null)) continue;
    report({ problem: "tables_differ", message: unloggedAnswer(id as string) });
  }
  const count = { count: session["last_seq"] as number, hash: session["last_hash"] };
  const wrong = wrongCount(walk.last, count);
  if (wrong) report(wrong);
  return walk.last.seq;
}

async function checkDecision(
  client: Client,
  decision: LoggedDecision,
  report: Report,
): Promise<void> {
  const { interactionId, answerId, seq } = decision;
  const [{ rows: asked }, { rows: answered }] = await Promise.all([
    client.query<SqlRow>(INTERACTION, [interactionId]),
    client.query<SqlRow>(RESPONSE, [interactionId, answerId]),
  ]);
  const message = differenceOf(
    decision,
    asked[0] ? fromRow("interactions", asked[0]) : null,
    answered[0] ? fromRow("responses", answered[0]) : null,
  );
  if (message !== undefined) report({ problem: "tables_differ", message, seq });
}

async function placeOf(
  client: Client,
  sessionId: string,
  walk: ChainWalk,
  seq: number,
): Promise<number | undefined> {
  for await (const row of rowsAfter(client, sessionId, seq)) {
    if (walk.wasWrittenAs(row, seq)) return seqOf(row);
  }
  return undefined;
}

async function* rowsAfter(
  client: Client,
  sessionId: string,
  after: number,
): AsyncGenerator<ChainedRow> {
  for (let last = after; ;) {
    const { rows } = await client.query<ChainedRow>(ROWS, [sessionId, last]);
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return;
    last = seqOf(end);
  }
}

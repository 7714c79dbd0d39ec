import type { Database } from "../database.ts";
import { type KnownHead, wrongCount } from "../../audit/chain-walk.ts";
import { isDamaged, primaryCode } from "../failures.ts";
import { createDecisionCheck } from "./check-decisions.ts";
import {
  type HeadFile,
  headPath,
  type Loss,
  readHeadFile,
  type HeadSource,
  readHeadCopy,
} from "../../audit/head-file.ts";
import { openAudit } from "./open-audit.ts";
import { type AuditProblem, problemOf } from "../../audit/problem.ts";
import { walkChain } from "./walk-chain.ts";

interface VerifyOptions {
  /** The database's file. */
  path: string;
  /** Only this one. */
  sessionId?: string;
  /** A head file that was copied elsewhere: what it knows must still be so. */
  against?: string;
}

export interface AuditSummary {
  sessions: number;
  /** Those that are good. */
  events: number;
  /** Good events that the head file does not know of yet. */
  unwitnessed: number;
  problems: number;
}

/**
 * Recomputes every chain, compares it with the heads, and the decisions with the tables. Works
 * beside a running server. `found` hears of each problem, at most one a session for its chain.
 */
export function verifyAudit(
  { path, sessionId, against }: VerifyOptions,
  found: (problem: AuditProblem) => void,
): AuditSummary {
  const summary: AuditSummary = { sessions: 0, events: 0, unwitnessed: 0, problems: 0 };
  const report = (problem: AuditProblem) => {
    summary.problems++;
    found(problem);
  };
  // The heads first: the server may be writing, and its database is never behind its head file.
  const file = readHeadFile(headPath(path));
  const sources: HeadSource[] = [{ name: "the head file", heads: file?.heads ?? new Map() }];
  if (against !== undefined) sources.push(readHeadCopy(against));
  try {
    verifyDatabase(path, sessionId, { file, sources }, summary, report);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const message = `The database cannot be read: ${(error as Error).message}.`;
    report({ problem: "unreadable", message });
  }
  return summary;
}

function verifyDatabase(
  path: string,
  sessionId: string | undefined,
  { file, sources }: { file: HeadFile | undefined; sources: HeadSource[] },
  summary: AuditSummary,
  report: (problem: AuditProblem) => void,
): void {
  const database = openAudit(path);
  try {
    checkHeadFile(database, file, report);
    const losses = file?.losses ?? [];
    const known = [
      ...sources.flatMap(({ heads }) => [...heads.keys()]),
      ...losses.map((loss) => loss.sessionId),
    ];
    const ids = sessionId === undefined ? sessionIds(database, new Set(known)) : [sessionId];
    for (const id of ids) {
      summary.sessions++;
      const heads = sources.flatMap(({ name, heads: of }): KnownHead[] => {
        const head = of.get(id);
        return head ? [{ ...head, source: name }] : [];
      });
      const lost = losses.filter((loss) => loss.sessionId === id);
      const good = verifySession(database, id, { heads, losses: lost }, report);
      summary.events += good;
      summary.unwitnessed += Math.max(0, good - (file?.heads.get(id)?.seq ?? 0));
    }
  } finally {
    database.close();
  }
}

function checkHeadFile(
  database: Database,
  file: HeadFile | undefined,
  report: (problem: AuditProblem) => void,
): void {
  const begun = database.get("SELECT value FROM counters WHERE name = 'audit-heads'");
  if (!file && begun) {
    report({ problem: "head_file_missing", message: "The head file audit-heads is missing." });
  }
  for (const time of file?.lostAt ?? []) {
    const message = `The head file was missing or cut when the server started at ${time}.`;
    report({ problem: "head_file_missing", message });
  }
  for (const line of file?.unreadable ?? []) {
    const message = `A line of the head file cannot be read: ${line.slice(0, 100)}`;
    report({ problem: "head_file_unreadable", message });
  }
}

/** Of every session that has a row, an event or a head, in order. */
function* sessionIds(database: Database, known: Set<string>): Generator<string> {
  let last = "";
  for (;;) {
    const next = database.get(
      `SELECT min(id) AS id FROM (
        SELECT (SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT 1) AS id UNION ALL
        SELECT (SELECT session_id FROM events WHERE session_id > ? ORDER BY session_id LIMIT 1))`,
      last,
      last,
    )?.["id"];
    if (typeof next !== "string") break;
    known.delete(next);
    yield next;
    last = next;
  }
  yield* known;
}

interface Witnessed {
  heads: KnownHead[];
  losses: Loss[];
}

/** Gives the number of good events, counted from the first. */
function verifySession(
  database: Database,
  sessionId: string,
  known: Witnessed,
  report: (problem: AuditProblem) => void,
): number {
  // One view of the session's rows, whatever the server does meanwhile.
  database.exec("BEGIN");
  try {
    return verifyRows(database, sessionId, known, (problem) => report({ ...problem, sessionId }));
  } catch (error) {
    // That it is busy, for one, says nothing about what is in it.
    if (primaryCode(error) !== undefined && !isDamaged(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    report({ problem: "unreadable", sessionId, message: `The rows cannot be read: ${reason}.` });
    return 0;
  } finally {
    database.rollback();
  }
}

function verifyRows(
  database: Database,
  sessionId: string,
  { heads, losses }: Witnessed,
  report: (problem: AuditProblem) => void,
): number {
  // Data of before has no column chain_id.
  const session = database.get("SELECT * FROM sessions WHERE id = ?", sessionId);
  if (!session) {
    const message = "The whole session is missing.";
    report({ problem: "session_missing", message });
    return 0;
  }
  for (const loss of losses) report(problemOf(loss));
  const decisions = createDecisionCheck(database, sessionId, (message, seq) =>
    report({ problem: "tables_differ", message, ...(seq !== undefined && { seq }) }),
  );
  const chainId = String(session["chain_id"] ?? session["log_id"]);
  const { last, problem } = walkChain(database, { id: sessionId, chainId }, heads, (row, seq) =>
    decisions.see(row, seq),
  );
  if (problem) {
    report(problem);
    return last.seq;
  }
  decisions.end();
  const wrong = wrongCount(last, {
    count: Number(session["last_seq"]),
    hash: session["last_hash"],
  });
  if (wrong) report(wrong);
  return last.seq;
}

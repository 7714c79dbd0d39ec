import { CHAINED } from "../../audit/chain.ts";
import {
  changedRow,
  type ChainedRow,
  ChainWalk,
  type KnownHead,
  seqOf,
} from "../../audit/chain-walk.ts";
import type { Head } from "../../audit/head-file.ts";
import type { AuditProblem } from "../../audit/problem.ts";
import type { Database } from "../database.ts";

interface Walk {
  /** The last row that is good. */
  last: Head;
  problem?: Omit<AuditProblem, "sessionId">;
}

// As the bytes on disk, so that no bit of it is lost on the way to its hash.
const COLUMNS = [...CHAINED, "hash"].map((column) => `CAST(events.${column} AS BLOB) AS ${column}`);
const ROWS = `SELECT ${COLUMNS.join(", ")} FROM events
  WHERE events.session_id = ? AND events.seq > ? ORDER BY events.seq`;
const BEFORE_ANY = -Number.MAX_SAFE_INTEGER;

/** Recomputes the chain of one session up to its first bad row. `see` gets each good row. */
export function walkChain(
  database: Database,
  session: { id: string; chainId: string },
  heads: readonly KnownHead[],
  see: (row: ChainedRow, seq: number) => void,
): Walk {
  const walk = new ChainWalk(session, heads);
  for (const row of rowsAfter(database, session.id, BEFORE_ANY)) {
    const seq = seqOf(row);
    const problem = walk.next(row);
    if (problem === "changed") {
      const place = placeOf(database, session.id, walk, seq);
      return { last: walk.last, problem: changedRow(seq, place) };
    }
    if (problem) return { last: walk.last, problem };
    see(row, seq);
  }
  const problem = walk.end();
  return problem ? { last: walk.last, problem } : { last: walk.last };
}

function placeOf(
  database: Database,
  sessionId: string,
  walk: ChainWalk,
  seq: number,
): number | undefined {
  for (const row of rowsAfter(database, sessionId, seq)) {
    if (walk.wasWrittenAs(row, seq)) return seqOf(row);
  }
  return undefined;
}

function rowsAfter(database: Database, sessionId: string, seq: number): Iterable<ChainedRow> {
  return database.iterate(ROWS, sessionId, seq) as unknown as Iterable<ChainedRow>;
}

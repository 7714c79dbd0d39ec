import type { Database } from "../database.ts";
import { type Cell, chainHashOfBytes, CHAINED, genesis } from "./chain.ts";
import type { Head } from "./head-file.ts";
import type { AuditProblem } from "./problem.ts";

type ChainedColumn = (typeof CHAINED)[number];

/** An event as the bytes on disk, so that no bit of it is lost on the way to its hash. */
export type ChainedRow = Record<ChainedColumn | "hash", Uint8Array | null>;

/** Somebody who knew the head of this session at some time. */
export interface KnownHead extends Head {
  /** Where it is from, as a sentence says it. */
  source: string;
}

export interface Walk {
  /** The last row that is good. */
  last: Head;
  problem?: Omit<AuditProblem, "sessionId">;
}

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
  let last: Head = { seq: 0, hash: genesis(session.id, session.chainId) };
  for (const row of rowsAfter(database, session.id, BEFORE_ANY)) {
    const seq = Number(textOf(row.seq));
    const problem = checkRow(database, session.id, row, seq, last);
    if (problem) return { last, problem };
    last = { seq, hash: textOf(row.hash) };
    const liar = heads.find((head) => head.seq === seq && head.hash !== last.hash);
    if (liar) return { last, problem: contradicted(liar) };
    see(row, seq);
  }
  const ahead = heads.find((head) => head.seq > last.seq);
  return ahead ? { last, problem: cutOff(last.seq, ahead) } : { last };
}

export function textOf(bytes: Uint8Array | null): string {
  return bytes === null ? "" : Buffer.from(bytes).toString();
}

function checkRow(
  database: Database,
  sessionId: string,
  row: ChainedRow,
  seq: number,
  last: Head,
): Walk["problem"] {
  const expected = last.seq + 1;
  if (seq > expected) {
    const missing =
      seq - 1 === expected ? `Row ${expected} is` : `Rows ${expected} to ${seq - 1} are`;
    return { problem: "row_missing", seq: expected, message: `${missing} missing.` };
  }
  if (seq < expected) {
    return { problem: "row_changed", seq, message: `Row ${seq} does not belong to the log.` };
  }
  if (hashAt(row, seq, last.hash) === textOf(row.hash)) return undefined;
  const place = placeOf(database, sessionId, seq, last.hash);
  return place === undefined
    ? { problem: "row_changed", seq, message: `Row ${seq} is not what was written.` }
    : {
        problem: "rows_out_of_order",
        seq,
        message: `What was written as row ${seq} stands as row ${place}.`,
      };
}

/** Where the row is now that was written as `seq`. */
function placeOf(
  database: Database,
  sessionId: string,
  seq: number,
  previous: string,
): number | undefined {
  for (const row of rowsAfter(database, sessionId, seq)) {
    if (hashAt(row, seq, previous) === textOf(row.hash)) return Number(textOf(row.seq));
  }
  return undefined;
}

function hashAt(row: ChainedRow, seq: number, previous: string): string {
  const cells = CHAINED.map((column): Cell => (column === "seq" ? seq : row[column]));
  return chainHashOfBytes(previous, cells);
}

function rowsAfter(database: Database, sessionId: string, seq: number): Iterable<ChainedRow> {
  return database.iterate(ROWS, sessionId, seq) as unknown as Iterable<ChainedRow>;
}

function contradicted({ seq, source }: KnownHead): Walk["problem"] {
  const message = `Row ${seq}, or one before it, is not the one that ${source} knows.`;
  return { problem: "head_differs", seq, message };
}

function cutOff(lastSeq: number, { seq, source }: KnownHead): Walk["problem"] {
  const message = `The log ends at row ${lastSeq}; ${source} knows rows up to ${seq}.`;
  return { problem: "last_rows_missing", seq: lastSeq + 1, message };
}

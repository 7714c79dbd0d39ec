import { type Cell, CHAINED, chainHashOfBytes, genesis } from "./chain.ts";
import type { Head } from "./head-file.ts";
import type { AuditProblem } from "./problem.ts";

type ChainedColumn = (typeof CHAINED)[number];

/** An event as it is stored; as the bytes on disk where they could be something else. */
export type ChainedRow = Record<ChainedColumn | "hash", Cell>;

/** Somebody who knew the head of this session at some time. */
export interface KnownHead extends Head {
  /** Where it is from, as a sentence says it. */
  source: string;
}

type Problem = Omit<AuditProblem, "sessionId">;

/** Recomputes the chain of one session, row by row in order, up to its first bad one. */
export class ChainWalk {
  /** The last row that is good. */
  last: Head;
  readonly #heads: readonly KnownHead[];

  constructor(session: { id: string; chainId: string }, heads: readonly KnownHead[]) {
    this.last = { seq: 0, hash: genesis(session.id, session.chainId) };
    this.#heads = heads;
  }

  /** What is wrong with the next row. `changed` if it is not what was written at its place. */
  next(row: ChainedRow): Problem | "changed" | undefined {
    const seq = seqOf(row);
    const expected = this.last.seq + 1;
    if (seq > expected) {
      const missing =
        seq - 1 === expected ? `Row ${expected} is` : `Rows ${expected} to ${seq - 1} are`;
      return { problem: "row_missing", seq: expected, message: `${missing} missing.` };
    }
    if (seq < expected) {
      return { problem: "row_changed", seq, message: `Row ${seq} does not belong to the log.` };
    }
    if (!this.wasWrittenAs(row, seq)) return "changed";
    this.last = { seq, hash: textOf(row.hash) };
    const liar = this.#heads.find((head) => head.seq === seq && head.hash !== this.last.hash);
    return liar && contradicted(liar);
  }

  /** Whether a row is what was written at that place, right after the last good one. */
  wasWrittenAs(row: ChainedRow, seq: number): boolean {
    const cells = CHAINED.map((column): Cell => (column === "seq" ? seq : row[column]));
    return chainHashOfBytes(this.last.hash, cells) === textOf(row.hash);
  }

  /** What is wrong with a log that ends here. */
  end(): Problem | undefined {
    const ahead = this.#heads.find((head) => head.seq > this.last.seq);
    return ahead && cutOff(this.last.seq, ahead);
  }
}

/** @param place where the row is now that was written as `seq`, if it is anywhere */
export function changedRow(seq: number, place: number | undefined): Problem {
  return place === undefined
    ? { problem: "row_changed", seq, message: `Row ${seq} is not what was written.` }
    : {
        problem: "rows_out_of_order",
        seq,
        message: `What was written as row ${seq} stands as row ${place}.`,
      };
}

/** What a session counts, compared with how far its log is good. */
export function wrongCount(
  last: Head,
  { count, hash }: { count: number; hash: unknown },
): Problem | undefined {
  if (count > last.seq) {
    const message = `The log ends at row ${last.seq}; the session counts ${count}.`;
    return { problem: "last_rows_missing", seq: last.seq + 1, message };
  }
  if (count === last.seq && (last.seq === 0 || hash === last.hash)) return undefined;
  const message = `The session's own count and hash are not those of row ${last.seq}.`;
  return { problem: "count_differs", seq: last.seq, message };
}

export function seqOf(row: ChainedRow): number {
  return Number(textOf(row.seq));
}

export function textOf(cell: Cell): string {
  if (cell === null) return "";
  return cell instanceof Uint8Array ? Buffer.from(cell).toString() : String(cell);
}

function contradicted({ seq, source }: KnownHead): Problem {
  const message = `Row ${seq}, or one before it, is not the one that ${source} knows.`;
  return { problem: "head_differs", seq, message };
}

function cutOff(lastSeq: number, { seq, source }: KnownHead): Problem {
  const message = `The log ends at row ${lastSeq}; ${source} knows rows up to ${seq}.`;
  return { problem: "last_rows_missing", seq: lastSeq + 1, message };
}

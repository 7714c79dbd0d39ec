import { createHash } from "node:crypto";
import type { SqlValue } from "../database.ts";

/**
 * What the hash of an event covers, in this order: every column but the hash itself. It never
 * changes, because what is written was hashed by it.
 */
export const CHAINED = [
  "session_id",
  "seq",
  "id",
  "v",
  "type",
  "at",
  "turn_id",
  "response_id",
  "call_id",
  "interaction_id",
  "actor_id",
  "payload",
  "audit",
] as const;

/** A column as it is written, or as the bytes that a verifier reads: both give the same hash. */
export type Cell = SqlValue | Uint8Array;

const GENESIS = "beckon audit chain 1";

/** What stands in place of a hash before the first event of a session. */
export function genesis(sessionId: string, chainId: string): string {
  return chainHash(GENESIS, [sessionId, chainId]);
}

/**
 * SHA-256 over the hash before it and the cells, in hex. A cell is its length in bytes, a colon and
 * its text; null is a hyphen; each ends its line. So no two rows are written alike.
 */
export function chainHash(previous: string, cells: readonly Cell[]): string {
  const hash = createHash("sha256");
  let text = `${previous}\n`;
  for (const cell of cells) {
    if (cell === null) text += "-\n";
    else if (cell instanceof Uint8Array) {
      hash.update(`${text}${cell.byteLength}:`).update(cell);
      text = "\n";
    } else {
      const written = String(cell);
      text += `${Buffer.byteLength(written)}:${written}\n`;
    }
  }
  return hash.update(text).digest("hex");
}

import { createHash, hash } from "node:crypto";

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

/** A column as it is written. */
type Value = string | number | null;

/** The same, or the bytes that a verifier reads: both give the same hash. */
export type Cell = Value | Uint8Array;

const GENESIS = "beckon audit chain 1";

/** What stands in place of a hash before the first event of a session. */
export function genesis(sessionId: string, chainId: string): string {
  return chainHash(GENESIS, [sessionId, chainId]);
}

/**
 * SHA-256 over the hash before it and the cells, in hex. A cell is its length in bytes, a colon and
 * its text; null is a hyphen; each ends its line. So no two rows are written alike.
 */
export function chainHash(previous: string, cells: readonly Value[]): string {
  let text = `${previous}\n`;
  for (const cell of cells) text += toLine(cell);
  return hash("sha256", text, "hex");
}

/** The same of the bytes that a verifier reads. */
export function chainHashOfBytes(previous: string, cells: readonly Cell[]): string {
  const sha = createHash("sha256").update(`${previous}\n`);
  for (const cell of cells) {
    if (!(cell instanceof Uint8Array)) sha.update(toLine(cell));
    else sha.update(`${cell.byteLength}:`).update(cell).update("\n");
  }
  return sha.digest("hex");
}

function toLine(cell: Value): string {
  if (cell === null) return "-\n";
  const written = String(cell);
  return `${Buffer.byteLength(written)}:${written}\n`;
}

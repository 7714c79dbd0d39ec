import { createHash } from "node:crypto";
import type { Contents } from "./side.ts";

export type Role = "from" | "to";

/** Of each session how far its log got, and who is known: the same in both databases. */
export const CONTENTS = [
  "SELECT id, version, last_seq, last_hash FROM SCHEMA.sessions ORDER BY id",
  "SELECT id, version FROM SCHEMA.principals ORDER BY id",
  "SELECT id, version FROM SCHEMA.tokens ORDER BY id",
  "SELECT id, version FROM SCHEMA.grants ORDER BY id",
];

export function toContents(tables: unknown[][][]): Contents {
  return {
    isEmpty: tables.every((rows) => rows.length === 0),
    digest: createHash("sha256").update(JSON.stringify(tables)).digest("hex"),
  };
}

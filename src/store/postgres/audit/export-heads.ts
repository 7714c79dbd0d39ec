import { toLine } from "../../audit/head-file.ts";
import type { SqlRow } from "../lane.ts";
import type { PostgresSettings } from "../settings.ts";
import { withAudit } from "./open-audit.ts";

const PAGE = 1_000;
const HEADS = /* sql */ `SELECT id, last_seq, last_hash FROM beckon.sessions
  WHERE last_seq > 0 AND id > $1 ORDER BY id LIMIT ${PAGE}`;

/**
 * How far the log of each session has come, a line each, in the format of the head file that a data
 * directory has. The database keeps no copy that whoever can write to it could not change too: what
 * is exported, and signed or stored elsewhere, is what a later verification can hold it to.
 */
export async function exportHeads(
  settings: PostgresSettings,
  write: (line: string) => void,
): Promise<void> {
  await withAudit(settings, async (client) => {
    for (let last: unknown = ""; ;) {
      const { rows } = await client.query<SqlRow>(HEADS, [last]);
      for (const { id, last_seq: seq, last_hash: hash } of rows) {
        write(toLine(id as string, { seq: seq as number, hash: hash as string }));
      }
      if (rows.length < PAGE) return;
      last = rows.at(-1)?.["id"];
    }
  });
}

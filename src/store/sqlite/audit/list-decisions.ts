import type { DecisionAudit } from "../../../core/ports.ts";
import { type Decision, toDecision } from "../../audit/decision.ts";
import type { Database, SqlRow } from "../database.ts";
import { openAudit } from "./open-audit.ts";

interface ListOptions {
  /** The database's file. */
  path: string;
  sessionId?: string;
  /** Milliseconds since 1970. */
  since?: number;
}

const DECISIONS = /* sql */ `SELECT at, session_id, seq, interaction_id, payload, audit
  FROM events INDEXED BY events_decisions
  WHERE type = 'interaction_response' AND at >= ? AND (? IS NULL OR session_id = ?)
  ORDER BY at, session_id, seq`;

/** Every decision, of deleted sessions too, oldest first. Reads no further than the caller does. */
export function* listDecisions({ path, sessionId, since }: ListOptions): Generator<Decision> {
  const database = openAudit(path);
  try {
    const [from, session] = [since ?? -Number.MAX_SAFE_INTEGER, sessionId ?? null];
    for (const row of database.iterate(DECISIONS, from, session, session)) {
      yield toDecision(withContext(database, row));
    }
  } finally {
    database.close();
  }
}

function withContext(database: Database, row: SqlRow): Record<string, unknown> {
  const asked = database.get(
    "SELECT tool_name, request FROM interactions WHERE id = ?",
    row["interaction_id"] ?? null,
  );
  const audit = row["audit"] === null ? null : (JSON.parse(String(row["audit"])) as DecisionAudit);
  const token = audit && database.get("SELECT kind FROM tokens WHERE id = ?", audit.tokenId);
  return { ...row, ...asked, token_kind: token?.["kind"] };
}

import type { DecisionAudit } from "../../../core/ports.ts";
import type { InteractionRequest, InteractionResponse } from "../../../protocol/index.ts";
import type { Database, SqlRow } from "../database.ts";
import { openAudit } from "./open-audit.ts";

/** One decision: who, with what, about what, and what. */
export interface Decision {
  at: number;
  sessionId: string;
  seq: number;
  interactionId: string;
  tool: string | null;
  prompt: string | null;
  /** Null in logs from before the audit. */
  audit: DecisionAudit | null;
  /** What kind of token it was made with; null if there is no such token any more. */
  tokenKind: string | null;
  /** Without the values of secret fields: the log never had them. */
  response: InteractionResponse;
}

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
      yield toDecision(database, row);
    }
  } finally {
    database.close();
  }
}

function toDecision(database: Database, row: SqlRow): Decision {
  const asked = database.get(
    "SELECT tool_name, request FROM interactions WHERE id = ?",
    row["interaction_id"] ?? null,
  );
  const request = asked && (JSON.parse(String(asked["request"])) as InteractionRequest);
  const audit = row["audit"] === null ? null : (JSON.parse(String(row["audit"])) as DecisionAudit);
  const token = audit && database.get("SELECT kind FROM tokens WHERE id = ?", audit.tokenId);
  return {
    at: Number(row["at"]),
    sessionId: String(row["session_id"]),
    seq: Number(row["seq"]),
    interactionId: String(row["interaction_id"]),
    tool: asked ? String(asked["tool_name"]) : null,
    prompt: request?.prompt ?? null,
    audit,
    tokenKind: token ? String(token["kind"]) : null,
    response: JSON.parse(String(row["payload"])) as InteractionResponse,
  };
}

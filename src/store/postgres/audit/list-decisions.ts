import type { Client } from "pg";
import type { DecisionAudit } from "../../../core/ports.ts";
import { type Decision, toDecision } from "../../audit/decision.ts";
import type { SqlRow } from "../lane.ts";
import type { PostgresSettings } from "../settings.ts";
import { withAudit } from "./open-audit.ts";

const PAGE = 500;

const DECISIONS = /* sql */ `SELECT e.at, e.session_id, e.seq, e.interaction_id, e.payload, e.audit,
    i.tool_name, i.request
  FROM beckon.events e
  LEFT JOIN beckon.interactions i ON i.id = e.interaction_id
  WHERE e.type = 'interaction_response' AND ($4::text IS NULL OR e.session_id = $4)
    AND (e.at, e.session_id, e.seq) > ($1::bigint, $2::text, $3::bigint)
  ORDER BY e.at, e.session_id, e.seq LIMIT ${PAGE}`;

const TOKEN_KINDS = "SELECT id, kind FROM beckon.tokens WHERE id = ANY($1::text[])";

interface ListOptions extends PostgresSettings {
  sessionId?: string;
  /** Milliseconds since 1970. */
  since?: number;
}

/** Every decision, of deleted sessions too, oldest first, page by page. */
export async function listPostgresDecisions(
  { sessionId, since, ...settings }: ListOptions,
  found: (decision: Decision) => void,
): Promise<void> {
  await withAudit(settings, async (client) => {
    let after: unknown[] = [
      since === undefined ? Number.MIN_SAFE_INTEGER : since - 1,
      "\u{10FFFF}",
      0,
    ];
    for (;;) {
      const { rows } = await client.query<SqlRow>(DECISIONS, [...after, sessionId ?? null]);
      const kinds = await tokenKinds(client, rows);
      for (const row of rows) found(toDecision({ ...row, token_kind: kinds.get(tokenOf(row)) }));
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = [last["at"], last["session_id"], last["seq"]];
    }
  });
}

const tokenOf = ({ audit }: SqlRow): unknown =>
  typeof audit === "string" ? (JSON.parse(audit) as DecisionAudit).tokenId : undefined;

async function tokenKinds(client: Client, decisions: SqlRow[]): Promise<Map<unknown, unknown>> {
  const ids = decisions.map(tokenOf).filter((id) => id !== undefined);
  const { rows } = await client.query<SqlRow>(TOKEN_KINDS, [ids]);
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

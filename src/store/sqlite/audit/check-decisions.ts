import { hash } from "node:crypto";
import type { DecisionAudit, InteractionRow, ResponseRow } from "../../../core/ports.ts";
import { canonicalJson, type InteractionResponse } from "../../../protocol/index.ts";
import type { Database } from "../database.ts";
import { readRow } from "../rows.ts";
import { type ChainedRow, textOf } from "./walk-chain.ts";

const DECIDED = /* sql */ `SELECT interactions.id, responses.id AS answer
  FROM interactions LEFT JOIN responses
    ON responses.interaction_id = interactions.id AND responses.verdict = 'decided'
  WHERE interactions.session_id = ?
    AND (interactions.response IS NOT NULL OR responses.id IS NOT NULL)`;

const INTERACTION = "SELECT * FROM interactions WHERE id = ?";
const RESPONSE = "SELECT * FROM responses WHERE interaction_id = ? AND id = ?";

/**
 * Compares the decisions in one session's log with the tables that the server works from. `report`
 * gets the names of what differs.
 */
export function createDecisionCheck(
  database: Database,
  sessionId: string,
  report: (message: string, seq?: number) => void,
) {
  /** Digests of what was shown, by interaction, until it has an end. */
  const shown = new Map<string, string>();
  /** Answers by interaction. */
  const decided = new Map<string, string>();

  function check(row: ChainedRow, seq: number): void {
    const payload = JSON.parse(textOf(row.payload)) as InteractionResponse;
    const audit = row.audit && (JSON.parse(textOf(row.audit)) as DecisionAudit);
    const { interactionId, answerId } = payload;
    decided.set(interactionId, answerId);
    const logged = shown.get(interactionId);
    shown.delete(interactionId);
    const actorId = textOf(row.actor_id);
    const differs = [
      ...unlike("log", { responder: payload.responder.id }, { responder: actorId }),
      ...(audit ? unlike("log", audit, { principalId: actorId, shownDigest: logged }) : []),
      ...interactionDiffers(
        readRow(database, "interactions", INTERACTION, interactionId),
        payload,
        audit,
      ),
      ...responseDiffers(
        readRow(database, "responses", RESPONSE, interactionId, answerId),
        payload,
        actorId,
        audit,
      ),
    ];
    if (differs.length > 0) {
      report(`The decision in row ${seq} differs from ${[...new Set(differs)].join(", ")}.`, seq);
    }
  }

  return {
    see(row: ChainedRow, seq: number): void {
      const type = textOf(row.type);
      const interactionId = textOf(row.interaction_id);
      if (type === "interaction_request") shown.set(interactionId, digest(row.payload));
      else if (type === "interaction_closed") shown.delete(interactionId);
      else if (type === "interaction_response") check(row, seq);
    },
    /** For a log that was seen to its end: is there a decision that it does not have? */
    end(): void {
      for (const { id, answer } of database.all(DECIDED, sessionId)) {
        const logged = decided.get(String(id));
        if (logged !== undefined && (answer === null || answer === logged)) continue;
        report(`The tables have an answer to the prompt ${id} that the log does not have.`);
      }
    },
  };
}

function interactionDiffers(
  row: InteractionRow | null,
  payload: InteractionResponse,
  audit: DecisionAudit | null,
): string[] {
  if (!row) return ["interactions (there is no such row)"];
  const { request, response, actionDigest, decidedResponseId, status } = row;
  return [
    ...unlike(
      "interactions",
      { response, status, decidedResponseId },
      {
        response: payload,
        status: "answered",
        decidedResponseId: payload.answerId,
      },
    ),
    ...(audit
      ? unlike(
          "interactions",
          { request: digestOf(request), actionDigest },
          {
            request: audit.shownDigest,
            actionDigest: audit.actionDigest ?? null,
          },
        )
      : []),
  ];
}

function responseDiffers(
  row: ResponseRow | null,
  payload: InteractionResponse,
  actorId: string,
  audit: DecisionAudit | null,
): string[] {
  if (!row) return ["responses (there is no such row)"];
  const input = withoutSecrets(row.input, payload.secretFields ?? []);
  // The row has what was sent, where the log has what it means.
  const scope = row.scope === null ? null : (payload.approvalScope ?? null);
  return [
    ...unlike(
      "responses",
      { ...row, input },
      {
        principalId: actorId,
        action: payload.action,
        scope,
        optionId: payload.optionId ?? null,
        input: payload.input ?? null,
        reason: payload.reason ?? null,
        stop: payload.stop ?? false,
        late: payload.late ?? false,
        verdict: "decided",
      },
    ),
    ...(audit
      ? unlike("responses", row, {
          tokenId: audit.tokenId,
          via: audit.via,
          editedDigest: audit.editedDigest ?? null,
        })
      : []),
  ];
}

function withoutSecrets(input: unknown, secretFields: string[]): unknown {
  if (input === null || typeof input !== "object") return input;
  return Object.fromEntries(Object.entries(input).filter(([id]) => !secretFields.includes(id)));
}

/** The names, with their table, of what is not as expected. */
function unlike<Row extends object>(
  table: string,
  row: Row,
  expected: { [Name in keyof Row]?: unknown },
): string[] {
  return (Object.keys(expected) as (keyof Row & string)[])
    .filter((name) => canonicalJson(row[name] ?? null) !== canonicalJson(expected[name] ?? null))
    .map((name) => `${table}.${name}`);
}

function digest(payload: Uint8Array | null): string {
  return digestOf(JSON.parse(textOf(payload)));
}

function digestOf(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}

import { hash } from "node:crypto";
import type { DecisionAudit, InteractionRow, ResponseRow } from "../../core/ports.ts";
import { canonicalJson, type InteractionResponse } from "../../protocol/index.ts";
import { type ChainedRow, textOf } from "./chain-walk.ts";

/** A decision in the log, and what was shown when it was made. */
export interface LoggedDecision {
  seq: number;
  interactionId: string;
  answerId: string;
  payload: InteractionResponse;
  actorId: string;
  audit: DecisionAudit | null;
  /** The digest of the request in the log. */
  shown: string | undefined;
}

/** Follows one log, and tells its decisions from what else is in it. */
export class DecisionLog {
  /** Digests of what was shown, by interaction, until it has an end. */
  readonly #shown = new Map<string, string>();
  /** Answers by interaction. */
  readonly #decided = new Map<string, string>();

  see(row: ChainedRow, seq: number): LoggedDecision | undefined {
    const type = textOf(row.type);
    const interactionId = textOf(row.interaction_id);
    if (type === "interaction_request") this.#shown.set(interactionId, digest(textOf(row.payload)));
    else if (type === "interaction_closed") this.#shown.delete(interactionId);
    return type === "interaction_response" ? this.#decision(row, seq) : undefined;
  }

  /** Whether the log has the answer that the tables have. */
  has(interactionId: string, answer: string | null): boolean {
    const logged = this.#decided.get(interactionId);
    return logged !== undefined && (answer === null || answer === logged);
  }

  #decision(row: ChainedRow, seq: number): LoggedDecision {
    const payload = JSON.parse(textOf(row.payload)) as InteractionResponse;
    const audit = row.audit === null ? null : (JSON.parse(textOf(row.audit)) as DecisionAudit);
    const { interactionId, answerId } = payload;
    this.#decided.set(interactionId, answerId);
    const shown = this.#shown.get(interactionId);
    this.#shown.delete(interactionId);
    const actorId = textOf(row.actor_id);
    return { seq, interactionId, answerId, payload, actorId, audit, shown };
  }
}

/** A sentence that names what differs between a decision in the log and the tables. */
export function differenceOf(
  { seq, payload, actorId, audit, shown }: LoggedDecision,
  interaction: InteractionRow | null,
  response: ResponseRow | null,
): string | undefined {
  const differs = [
    ...unlike("log", { responder: payload.responder.id }, { responder: actorId }),
    ...(audit ? unlike("log", audit, { principalId: actorId, shownDigest: shown }) : []),
    ...interactionDiffers(interaction, payload, audit),
    ...responseDiffers(response, payload, actorId, audit),
  ];
  if (differs.length === 0) return undefined;
  return `The decision in row ${seq} differs from ${[...new Set(differs)].join(", ")}.`;
}

export function unloggedAnswer(interactionId: string): string {
  return `The tables have an answer to the prompt ${interactionId} that the log does not have.`;
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

function digest(payload: string): string {
  return digestOf(JSON.parse(payload));
}

function digestOf(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}

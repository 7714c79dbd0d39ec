import { Command, InvalidArgumentError } from "commander";
import { visibleText } from "../client/index.ts";
import { type Decision, listDecisions, listPostgresDecisions } from "../store/index.ts";
import { databaseIn } from "./data.ts";
import type { Io } from "./io.ts";
import { dataOption, storeOf, storeOption } from "./options.ts";

interface Options {
  data: string;
  store?: string;
  session?: string;
  since?: number;
  json?: boolean;
}

export function auditListCommand(io: Io): Command {
  return new Command("list")
    .description("list the decisions, oldest first, one a line")
    .option("--session <id>", "this session only; a deleted one too")
    .option("--since <time>", "from this time on, like 2026-11-20 or 2026-11-20T09:00:00Z", toTime)
    .option("--json", "print one JSON object a line")
    .addOption(dataOption(io.env))
    .addOption(storeOption())
    .action(async ({ data, store, session: sessionId, since, json }: Options) => {
      const print = (decision: Decision) =>
        io.out(json ? JSON.stringify(toJson(decision)) : toLine(decision));
      const url = storeOf(io.env, store);
      const of = {
        ...(sessionId !== undefined && { sessionId }),
        ...(since !== undefined && { since }),
      };
      if (url !== undefined) return listPostgresDecisions({ url, ...of }, print);
      for (const decision of listDecisions({ path: databaseIn(data), ...of })) {
        print(decision);
      }
    });
}

function toTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError("Give a time like 2026-11-20 or 2026-11-20T09:00:00Z.");
  }
  return time;
}

function toJson({ at, sessionId, seq, interactionId, tool, prompt, ...decision }: Decision) {
  const { audit, tokenKind, response } = decision;
  const { responder, action, approvalScope, optionId, input, updatedInput, reason, stop } =
    response;
  return {
    at: new Date(at).toISOString(),
    who: { id: responder.id, name: responder.name },
    credential: audit ? { id: audit.tokenId, kind: tokenKind } : null,
    client: audit ? { via: audit.via, id: audit.clientId } : null,
    tool,
    shown: { prompt, digest: audit?.shownDigest, actionDigest: audit?.actionDigest },
    decision: {
      action,
      scope: approvalScope,
      optionId,
      input,
      secretFields: response.secretFields,
      updatedInput,
      editedDigest: audit?.editedDigest,
      reason,
      stop,
      late: response.late,
    },
    sessionId,
    seq,
    interactionId,
    answerId: response.answerId,
  };
}

const SHORT = 12;
const UNKNOWN = "-";

function toLine({ at, sessionId, seq, tool, audit, tokenKind, response }: Decision): string {
  const { responder } = response;
  const client = audit?.clientId === undefined ? "" : `/${audit.clientId}`;
  return [
    new Date(at).toISOString(),
    visibleText(responder.name ?? responder.id),
    audit ? `${tokenKind ?? "unknown"} ${audit.tokenId}` : UNKNOWN,
    audit ? visibleText(audit.via + client) : UNKNOWN,
    visibleText(tool ?? UNKNOWN),
    `shown ${audit?.shownDigest.slice(0, SHORT) ?? UNKNOWN}`,
    decided(response),
    `session ${visibleText(sessionId)} seq ${seq}`,
  ].join("  ");
}

function decided(response: Decision["response"]): string {
  const { action, approvalScope, optionId, updatedInput, reason, stop, late } = response;
  const details = [
    approvalScope,
    optionId === undefined ? undefined : `option ${visibleText(optionId)}`,
    updatedInput === undefined ? undefined : "edited",
    stop ? "stop" : undefined,
    late ? "late" : undefined,
    reason === undefined ? undefined : `"${visibleText(reason)}"`,
  ].filter((part) => part !== undefined);
  return [action, ...details].join(" ");
}

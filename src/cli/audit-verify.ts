import { Command } from "commander";
import { visibleText } from "../client/index.ts";
import {
  type AuditProblem,
  type AuditSummary,
  verifyAudit,
  verifyPostgresAudit,
} from "../store/index.ts";
import { databaseIn } from "./data.ts";
import { CommandFailure } from "./failure.ts";
import type { Io } from "./io.ts";
import { dataOption, storeOf, storeOption } from "./options.ts";

interface Options {
  data: string;
  store?: string;
  session?: string;
  against?: string;
  json?: boolean;
}

export function auditVerifyCommand(io: Io): Command {
  return new Command("verify")
    .description("find rows of the log that were changed, removed or moved")
    .option("--session <id>", "this session only")
    .option(
      "--against <file>",
      "a copy of audit-heads, kept elsewhere: what it knows must be there",
    )
    .option("--json", "print one JSON object")
    .addOption(dataOption(io.env))
    .addOption(storeOption())
    .action((options: Options) => verify(io, options));
}

async function verify(io: Io, options: Options): Promise<void> {
  const { data, session: sessionId, against, json } = options;
  const problems: AuditProblem[] = [];
  const found = (problem: AuditProblem) => {
    if (json) problems.push(problem);
    else io.out(toLine(problem));
  };
  const of = {
    ...(sessionId !== undefined && { sessionId }),
    ...(against !== undefined && { against }),
  };
  const url = storeOf(io.env, options.store);
  const summary =
    url === undefined
      ? verifyAudit({ path: databaseIn(data), ...of }, found)
      : { unwitnessed: 0, ...(await verifyPostgresAudit({ url, ...of }, found)) };
  if (json) {
    io.out(JSON.stringify({ ...summary, whole: summary.problems === 0, problems }));
  } else {
    io.out(toWords(summary));
  }
  if (summary.problems > 0) {
    throw new CommandFailure("The audit is not whole. What each line means: docs/guide/audit.md");
  }
}

function toLine({ problem, sessionId, seq, message }: AuditProblem): string {
  const session = sessionId === undefined ? "-" : visibleText(sessionId);
  return [problem, `session ${session}`, `seq ${seq ?? "-"}`, visibleText(message)].join("  ");
}

function toWords({ sessions, events, unwitnessed, problems }: AuditSummary): string {
  const verdict = problems === 0 ? "whole" : count(problems, "problem");
  const last = unwitnessed === 0 ? "" : ` (${unwitnessed} of them not in the head file yet)`;
  return `${count(sessions, "session")}, ${count(events, "event")}${last}, ${verdict}`;
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
}

import type { InteractionRecord, SessionRecord } from "../../../protocol/index.ts";
import { titleOf } from "../title.ts";
import { inputLines } from "./input-lines.ts";
import { fact, type Paper, quoted, rule } from "./layout.ts";

/** All that a person must know of a prompt before they answer it. Nothing of it is left out. */
export function promptLines(
  record: InteractionRecord,
  session: SessionRecord | undefined,
  paper: Paper,
): string[] {
  const { request } = record;
  const { style } = paper;
  const isApproval = request.interactionType === "approval";
  const title = titleOf(request);
  const form = request.inputSchema;
  const says = [request.prompt, form?.title, form?.description].filter(
    (text) => text !== undefined && text !== "" && text !== title,
  ) as string[];
  return [
    "",
    style.bold(rule(title, paper, isApproval ? style.yellow : style.cyan)),
    ...(request.error === undefined ? [] : quoted(request.error, paper, style.red)),
    ...says.flatMap((text) => quoted(text, paper)),
    ...whatWouldRun(request.toolInput, isApproval, paper),
    ...linkLines(request.link?.url, paper),
    "",
    ...factLines(record, session, paper),
    "",
  ];
}

function whatWouldRun(input: unknown, isApproval: boolean, paper: Paper): string[] {
  const lines = inputLines(input, paper);
  const label = isApproval ? "What would run" : "About";
  return lines.length === 0 ? [] : ["", `  ${paper.style.dim(label)}`, ...lines];
}

function linkLines(url: string | undefined, paper: Paper): string[] {
  if (url === undefined) return [];
  return [
    "",
    ...fact("Leads to", hostOf(url), paper),
    `  ${paper.style.dim("Open this address, then come back")}`,
    ...quoted(url, paper),
  ];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "an address that cannot be read";
}

/** The agent of sessions in which only programs outside have asked. */
const OUTSIDE = "outside";

const LATE = {
  live: undefined,
  queued: "The agent did not wait. Your answer will reach it as a message.",
  orphaned: "The run that asked is gone. Your answer will reach the agent as a message.",
} as const;

function factLines(
  { request, sessionId, waiting }: InteractionRecord,
  session: SessionRecord | undefined,
  paper: Paper,
): string[] {
  const { asker, context = {}, attempt, toolName, interactionType } = request;
  const facts: [string, string | undefined][] = [
    ["Tool", interactionType === "approval" ? undefined : toolName],
    ["Action", context.title],
    ["Details", context.description],
    ["Because", context.reason],
    ["Folder", context.cwd],
    ["Path", context.blockedPath],
    ["Asked by", asker && asker.kind !== "agent" ? asker.name : context.askedBy],
    ["Session", session ? nameOf(session) : sessionId],
    ["Attempt", attempt > 1 ? String(attempt) : undefined],
    ["Late", LATE[waiting]],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : fact(name, text, paper)));
}

function nameOf({ title, agent }: SessionRecord): string {
  return agent === OUTSIDE ? title : `${title} (${agent})`;
}

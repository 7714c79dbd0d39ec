import { askerSays, isFromOutside, visibleText } from "../../../client/index.ts";
import { linkAddress } from "../../../client/link-address.ts";
import { factsOf } from "../../../client/prompt-facts.ts";
import { toldIn } from "../../../client/told-in-input.ts";
import { LATE_NOTICE } from "../../../client/unanswered-words.ts";
import type {
  InteractionRecord,
  InteractionRequest,
  SessionRecord,
} from "../../../protocol/index.ts";
import { titleOf } from "../title.ts";
import { cut } from "../../width.ts";
import { inputLines } from "./input-lines.ts";
import { fact, type TextLayout, quoted, rule } from "./layout.ts";

/** All that a person must know of a prompt before they answer it. Nothing of it is left out. */
export function promptLines(
  record: InteractionRecord,
  session: SessionRecord | undefined,
  layout: TextLayout,
): string[] {
  const { request } = record;
  const { style } = layout;
  const isApproval = request.interactionType === "approval";
  const title = titleOf(request);
  const form = request.inputSchema;
  const asks = [request.prompt, form?.title, form?.description].filter(
    (text) => text !== undefined && text !== "" && text !== title,
  ) as string[];
  return [
    "",
    style.bold(rule(title, layout, isApproval ? style.yellow : style.cyan)),
    ...(request.error === undefined ? [] : quoted(request.error, layout, style.red)),
    ...(isApproval ? saysLines(request, layout) : asks.flatMap((text) => quoted(text, layout))),
    ...aboutLines(request, layout),
    ...linkLines(request.link?.url, layout),
    "",
    ...factLines(record, session, layout),
    "",
  ];
}

/** What is said about an approval, and by whom. A question needs no speaker: it is what is asked. */
function saysLines(request: InteractionRequest, layout: TextLayout): string[] {
  const { columns, style } = layout;
  return askerSays(request).flatMap(({ who, words }) =>
    [`  ${style.dim(cut(visibleText(who), columns - 2))}`].concat(quoted(words, layout)),
  );
}

function aboutLines(request: InteractionRequest, layout: TextLayout): string[] {
  const isApproval = request.interactionType === "approval";
  const told = isApproval ? toldIn(request) : undefined;
  const { changes, context } = request;
  const lines = inputLines(request.toolInput, layout, { told, changes, folder: context?.cwd });
  const label = isApproval ? inputLabel(request) : "About";
  return lines.length === 0 ? [] : ["", `  ${layout.style.dim(label)}`, ...lines];
}

/** What the input of an approval is called. */
export function inputLabel(request: InteractionRequest): string {
  return isFromOutside(request) ? "What was asked" : "What would run";
}

function linkLines(url: string | undefined, layout: TextLayout): string[] {
  if (url === undefined) return [];
  return [
    "",
    ...fact("Opens", linkAddress(url)?.host ?? "not an address that can be opened", layout),
    `  ${layout.style.dim("Open this address, then come back")}`,
    ...quoted(url, layout),
  ];
}

/** The agent of sessions in which only programs outside have asked. */
const OUTSIDE = "outside";

function factLines(
  { request, sessionId, waiting }: InteractionRecord,
  session: SessionRecord | undefined,
  layout: TextLayout,
): string[] {
  const { attempt, toolName, interactionType } = request;
  const facts: [string, string | undefined][] = [
    ["Tool", interactionType === "approval" ? undefined : toolName],
    ...factsOf(request),
    ["Session", session ? nameOf(session) : sessionId],
    ["Attempt", attempt > 1 ? String(attempt) : undefined],
    ["Late", waiting === "live" ? undefined : LATE_NOTICE[waiting]],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : fact(name, text, layout)));
}

function nameOf({ title, agent }: SessionRecord): string {
  return agent === OUTSIDE ? title : `${title} (${agent})`;
}

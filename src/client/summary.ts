import type { Action, ApprovalScope, InteractionResponse } from "../protocol/index.ts";
import { endWords } from "./end-words.ts";
import type { InteractionView } from "./view.ts";
import { visibleText } from "./visible-text.ts";

/** What became of a prompt, in one sentence; empty while it is open. */
export function summaryOf(interaction: InteractionView, clientId: string): string {
  const { state, response } = interaction;
  if (state === "open") return "";
  if (state === "replaced" && !response && !interaction.reason) return "Asked again";
  if (!response) return endSentence(interaction);
  const did = answerSentence(interaction, response, clientId);
  const { failure } = interaction;
  if (!failure) return did;
  const how = endWords(failure.code) ?? "Then the tool failed";
  return `${did}. ${how}: ${visibleText(failure.message)}`;
}

function answerSentence(
  interaction: InteractionView,
  response: InteractionResponse,
  clientId: string,
): string {
  const isElsewhere = response.responder.clientId !== clientId;
  const template = interaction.request.completedView?.summaryTemplate;
  // A tool words what it got. That it got nothing, or a no, is not for it to word.
  const isAnswer = response.action === "approve" || response.action === "submit";
  if (template === undefined || !isAnswer)
    return isElsewhere ? elsewhere(interaction, response) : said(interaction, response);
  const filled = fill(template, interaction, response);
  return isElsewhere ? `${filled} (${elsewhere(interaction, response)})` : filled;
}

const ENDS = {
  timed_out: "Nobody answered in time",
  cancelled: "Withdrawn before anybody answered",
  failed: "The call failed before anybody answered",
  superseded: "Asked again by the same call made anew",
} as const;

function endSentence({ reason, message }: InteractionView): string {
  const sentence = ENDS[reason ?? "failed"];
  return message ? `${sentence}. ${visibleText(message)}` : sentence;
}

const SCOPES: Record<ApprovalScope, string> = {
  once: "once",
  session: "for this session",
  always: "always",
};

/** How far an approval goes; or that it was given on another prompt, and covers this one too. */
const scopeWords = ({ approvalScope = "once", grantId }: InteractionResponse) =>
  grantId ? "with another prompt" : SCOPES[approvalScope];

const ACTIONS: Record<Action, string> = {
  approve: "Allowed",
  deny: "Denied",
  submit: "Answered",
  cancel: "Skipped",
};

/** What a person did, in one word or two: never more than they chose. */
function actionWord({ request }: InteractionView, { action }: InteractionResponse): string {
  return action === "deny" && request.interactionType === "input" ? "Refused" : ACTIONS[action];
}

/** The same with how far it goes. */
function actionWords(interaction: InteractionView, response: InteractionResponse): string {
  const { action, optionId } = response;
  const word = actionWord(interaction, response);
  return action === "approve" && optionId === undefined ? `${word} ${scopeWords(response)}` : word;
}

function said(interaction: InteractionView, response: InteractionResponse): string {
  const what = actionWords(interaction, response);
  const whose = response.action === "deny" ? `${what} by you` : what;
  return withDetails(whose, interaction, response);
}

function elsewhere(interaction: InteractionView, response: InteractionResponse): string {
  const { name, id } = response.responder;
  const who = visibleText(name ?? id);
  const what = `${actionWords(interaction, response)} on another device by ${who}`;
  return withDetails(what, interaction, response);
}

function withDetails(
  what: string,
  { request }: InteractionView,
  { optionId, reason }: InteractionResponse,
): string {
  const option = request.approvalOptions?.find((one) => one.id === optionId);
  const details = [option && visibleText(option.label), reason && `“${visibleText(reason)}”`];
  const given = details.filter(Boolean).join(", ");
  return given === "" ? what : `${what}: ${given}`;
}

const SAYS_YES = /\b(?:approved|allowed)\b/i;
const PLACEHOLDER = /\{\{\s*([\w.-]{1,100})\s*\}\}/g;

/** Fills a tool's own sentence, in one pass: what a person typed is never read as a template. */
function fill(
  template: string,
  interaction: InteractionView,
  response: InteractionResponse,
): string {
  const scope = response.action === "approve" ? scopeWords(response) : "";
  // "User approved: {{action}}" says already what was done: how far it goes is what is left to say.
  const saysYes = scope !== "" && SAYS_YES.test(template);
  const filled = template.replaceAll(PLACEHOLDER, (whole, name: string, at: number) => {
    if (name === "action") {
      const word = actionWord(interaction, response);
      if (saysYes) return scope;
      return at === 0 ? word : word.toLowerCase();
    }
    if (name === "scope") return scope;
    if (name.startsWith("input.")) return fieldText(response, name.slice("input.".length));
    return whole;
  });
  return visibleText(filled, { multiline: true });
}

function fieldText({ input, secretFields }: InteractionResponse, field: string): string {
  if (secretFields?.includes(field)) return "••••••";
  if (!input || !Object.hasOwn(input, field)) return "";
  return valueText(input[field]);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return JSON.stringify(value) ?? "";
}

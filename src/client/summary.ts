import type { InteractionRequest, InteractionResponse } from "../protocol/index.ts";
import { actionWord, decisionWords, scopeWords } from "./decision-words.ts";
import { closedWords, endWords } from "./end-words.ts";
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
  const { request } = interaction;
  const isMine = response.responder.clientId === clientId;
  const decided = decisionWords(response, isMine ? "you" : "another device", request);
  const template = request.completedView?.summaryTemplate;
  // A tool words what it got. That it got nothing, or a no, is not for it to word.
  const isAnswer = response.action === "approve" || response.action === "submit";
  if (template === undefined || !isAnswer) return decided;
  const filled = fill(template, response, request);
  return isMine ? filled : `${filled} (${decided})`;
}

function endSentence({ reason = "failed", message }: InteractionView): string {
  return [closedWords(reason), message && visibleText(message)].filter(Boolean).join(". ");
}

const SAYS_YES = /\b(?:approved|allowed)\b/i;
const PLACEHOLDER = /\{\{\s*([\w.-]{1,100})\s*\}\}/g;

/** Fills a tool's own sentence, in one pass: what a person typed is never read as a template. */
function fill(
  template: string,
  response: InteractionResponse,
  request: InteractionRequest,
): string {
  const scope = response.action === "approve" ? scopeWords(response, request) : "";
  // "User approved: {{action}}" says already what was done: how far it goes is what is left to say.
  const saysYes = scope !== "" && SAYS_YES.test(template);
  const filled = template.replaceAll(PLACEHOLDER, (whole, name: string, at: number) => {
    if (name === "action") {
      const word = actionWord(response);
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

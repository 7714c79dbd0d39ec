import type {
  Action,
  ApprovalScope,
  InteractionRequest,
  InteractionResponse,
} from "../protocol/index.ts";
import { visibleText } from "./visible-text.ts";

/** What a person chose, also before the server has said who they are. */
type Decision = Pick<InteractionResponse, "action"> & Partial<InteractionResponse>;

/** Whose decision it is, for the one who reads of it: theirs, or of somebody who is named. */
type DecidedBy = "you" | "another device" | "name";

/** What a person did about a prompt: never more than they chose, and what they said with it. */
export function decisionWords(
  decision: Decision,
  by: DecidedBy,
  request?: InteractionRequest,
): string {
  const { action, optionId, updatedInput, stop, reason } = decision;
  const who = byWhom(decision, by);
  const isScoped = action === "approve" && optionId === undefined;
  const scope = isScoped ? ` ${scopeWords(decision, request, who)}` : who;
  const how = updatedInput === undefined ? "" : ", as edited";
  const end = stop ? ", and the turn was stopped" : "";
  const what = actionWord(decision, request) + scope + how + end;
  const option = request?.approvalOptions?.find((one) => one.id === optionId);
  const details = [option && visibleText(option.label), reason && `“${visibleText(reason)}”`];
  const said = details.filter(Boolean).join(", ");
  return said === "" ? what : `${what}: ${said}`;
}

function byWhom({ action, responder }: Decision, by: DecidedBy): string {
  if (by === "you") return action === "deny" ? " by you" : "";
  const where = by === "name" ? "" : " on another device";
  return `${where} by ${visibleText(responder?.name ?? responder?.id ?? "")}`;
}

const ACTIONS: Record<Action, string> = {
  approve: "Allowed",
  deny: "Denied",
  submit: "Answered",
  cancel: "Skipped",
};

/** What a person did, in one word. A question is refused, and a permission denied. */
export function actionWord({ action }: Decision, request?: InteractionRequest): string {
  return action === "deny" && request?.interactionType === "input" ? "Refused" : ACTIONS[action];
}

const SCOPES: Record<ApprovalScope, string> = {
  once: "once",
  session: "for this session",
  always: "always",
};

/** How far an approval goes; or that it was given on another prompt, and covers this one too. */
export function scopeWords(
  { approvalScope = "once", grantId }: Decision,
  request?: InteractionRequest,
  who = "",
): string {
  if (grantId) return `with another prompt${who}`;
  const keeper = approvalScope === "once" ? undefined : request?.rememberedBy;
  return SCOPES[approvalScope] + who + (keeper ? `, if the ${keeper} remembers it` : "");
}

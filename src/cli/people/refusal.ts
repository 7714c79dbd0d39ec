import { visibleText } from "../../client/index.ts";
import type { FieldErrors, InteractionResponse } from "../../protocol/index.ts";
import type { Reply } from "../../transport/index.ts";
import { closedBecause, winnerOf } from "./ended.ts";

type Refusal = Omit<Extract<Reply, { ok: false }>, "ok">;

/** Why an answer was refused: one sentence, then what is wrong with each field. */
export function refusalLines(refusal: Refusal): string[] {
  return [sentenceOf(refusal), ...fieldLines(refusal.fieldErrors ?? {})];
}

export function sentenceOf({ code, error, response, reason, current }: Refusal): string {
  switch (code) {
    case "already_answered":
      return response ? winnerOf(response) : visibleText(error);
    case "interaction_closed":
      return closedBecause(reason ?? "");
    case "stale_interaction":
      return staleSentence(current, response);
    case "person_required":
      return "A machine's token may ask and cannot answer. Answer with a person's token.";
    case "interaction_not_found":
      return "There is no such prompt. See: beckon inbox";
    default:
      return visibleText(error);
  }
}

function staleSentence(current: string | undefined, response?: InteractionResponse): string {
  const who = response ? `${winnerOf(response)} It was asked again.` : "It was asked again.";
  return current === undefined
    ? who
    : `${who} Answer that one: beckon answer ${visibleText(current)}`;
}

function fieldLines(errors: FieldErrors): string[] {
  return Object.entries(errors).map(
    ([field, error]) => `  ${visibleText(field)}: ${visibleText(error)}`,
  );
}

/** The refusal in what the server said by HTTP. */
export function toRefusal(details: Readonly<Record<string, unknown>>): Refusal {
  return details as unknown as Refusal;
}

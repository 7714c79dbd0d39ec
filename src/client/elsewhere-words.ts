import type { Action, ClosedReason } from "../protocol/index.ts";
import { actionWord } from "./decision-words.ts";
import { closedWords } from "./end-words.ts";

/** What was decided in the agent's own terminal. */
export function elsewhereWords(action: Action | undefined): string {
  return `${action ? actionWord({ action }) : "Decided"} in the terminal`;
}

/** How a prompt ended without an answer here, wherever that was. */
export function endedWords(reason: ClosedReason, action?: Action): string | undefined {
  return reason === "decided_elsewhere" ? elsewhereWords(action) : closedWords(reason);
}

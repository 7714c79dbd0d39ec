import type { CallRow } from "../ports.ts";

/*
 * A program that a tool call runs may call a tool of ours. That call is anchored: people see what it
 * asks in the block of the call that runs the program, with its turn and its response, and the log
 * holds no call and no result of its own. Its row, its journal and its approvals are its own.
 */

/** Whether a call works in the place of another one. What a runtime executes itself never does. */
export function isAnchored(call: CallRow): boolean {
  return call.nativeId === null && call.parentCallId !== null;
}

/** The call in whose block its prompts are shown. */
export function shownIn(call: CallRow): string {
  return (isAnchored(call) ? call.parentCallId : null) ?? call.id;
}

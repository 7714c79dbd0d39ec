import { DENY, toApprovalResponse, toChoices } from "../../../client/approval-choices.ts";
import { ALSO_STOPS, DENY_AND_STOP, DENY_WITH_REASON } from "../../../client/denial-words.ts";
import type { InteractionRequest, ResponseBody } from "../../../protocol/index.ts";
import type { KeyHelp } from "./layout.ts";

/** One way to decide, by one key. */
export interface Choice extends KeyHelp {
  body: ResponseBody;
  /** A reason is to be written first. */
  asksReason?: boolean;
}

const KEYS = { once: "a", session: "s", always: "w" } as const;

/** Every way to decide about an approval: the asker's own where it offers some, else by scope. */
export function choicesOf(request: InteractionRequest, canStop: boolean): Choice[] {
  const own = toChoices(request).map((choice, at) => ({
    key: choice.optionId === undefined ? KEYS[choice.scope ?? "once"] : String(at + 1),
    label: choice.decision === "deny" ? `${choice.label} (denies)` : choice.label,
    more: choice.covers,
    body: toApprovalResponse(request, choice),
  }));
  return [...own, ...denials(canStop)];
}

function denials(canStop: boolean): Choice[] {
  const stop: Choice = {
    key: "x",
    label: DENY_AND_STOP,
    more: [ALSO_STOPS],
    body: { action: "deny", stop: true },
  };
  return [
    { key: "d", label: DENY.label, body: { action: "deny" } },
    { key: "r", label: DENY_WITH_REASON, body: { action: "deny" }, asksReason: true },
    ...(canStop ? [stop] : []),
  ];
}

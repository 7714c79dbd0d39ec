import { coveredBy } from "../../../client/index.ts";
import type { InteractionRequest, ResponseBody } from "../../../protocol/index.ts";
import type { KeyHelp } from "./layout.ts";

/** One way to decide, by one key. */
export interface Choice extends KeyHelp {
  body: ResponseBody;
  /** A reason is to be written first. */
  asksReason?: boolean;
}

const SCOPES = {
  once: { key: "a", label: "Allow once" },
  session: { key: "s", label: "Allow for this session" },
  always: { key: "w", label: "Always allow" },
} as const;

/** Every way to decide about an approval: the asker's own where it offers some, else by scope. */
export function choicesOf(request: InteractionRequest, canStop: boolean): Choice[] {
  return [...approvals(request), ...denials(canStop)];
}

function approvals(request: InteractionRequest): Choice[] {
  const { approvalOptions: options, approvalScopes } = request;
  if (options?.length) {
    return options.map(({ id, label, decision, scope, covers }, at) => ({
      key: String(at + 1),
      label: decision === "deny" ? `${label} (denies)` : label,
      more: covers ?? (scope ? [coveredBy(request, scope)] : []),
      body: { action: decision, optionId: id },
    }));
  }
  const scopes = approvalScopes?.length ? approvalScopes : (["once"] as const);
  return scopes.map((scope) => ({
    key: SCOPES[scope].key,
    label: SCOPES[scope].label,
    more: (scope !== "once" && request.approvalCovers?.[scope]) || [coveredBy(request, scope)],
    body: { action: "approve", ...(approvalScopes?.length ? { approvalScope: scope } : {}) },
  }));
}

function denials(canStop: boolean): Choice[] {
  const stop: Choice = {
    key: "x",
    label: "Deny and stop",
    more: ["Also ends the turn."],
    body: { action: "deny", stop: true },
  };
  return [
    { key: "d", label: "Deny", body: { action: "deny" } },
    { key: "r", label: "Deny with a reason", body: { action: "deny" }, asksReason: true },
    ...(canStop ? [stop] : []),
  ];
}

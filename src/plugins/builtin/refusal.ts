import type { UserResponse } from "../../core/index.ts";

/** The result of a question that was not answered, or undefined when it was. */
export function refusalOf(
  response: UserResponse,
): { ok: false; cancelled: true } | { ok: false; declined: true; reason?: string } | undefined {
  if (response.action === "cancel") return { ok: false, cancelled: true };
  if (response.action !== "deny") return undefined;
  return { ok: false, declined: true, ...(response.reason ? { reason: response.reason } : {}) };
}

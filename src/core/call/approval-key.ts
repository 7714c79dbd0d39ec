import { canonicalJson } from "../../protocol/index.ts";
import type { ToolApproval } from "./tool.ts";

/** What an approval for the session or for always covers: calls with this key. */
export function approvalKey(approval: ToolApproval<unknown>, input: unknown): string {
  return approval.key?.(structuredClone(input)) ?? canonicalJson(input);
}

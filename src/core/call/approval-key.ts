import { canonicalJson } from "../../protocol/index.ts";
import type { ToolApproval } from "./tool.ts";

/**
 * What an approval for the session or for always covers: calls of which each key was approved. There
 * is one at least.
 */
export function approvalKeys(
  approval: ToolApproval<unknown>,
  input: unknown,
): [string, ...string[]] {
  const [first, ...more] = approval.keys ?? [];
  if (first !== undefined) return [first, ...more];
  return [approval.key?.(structuredClone(input)) ?? canonicalJson(input)];
}

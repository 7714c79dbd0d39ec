import type { NativeApproval } from "../../core/index.ts";
import type { PermissionUpdate } from "./sdk.ts";

/**
 * What "do not ask again" means for this call, taken from what the SDK suggests: its rules and the
 * folders in which they are to hold, else its folders, else a mode. Two calls for which it suggests
 * the same are covered by the same approval.
 */
export function remembers(
  suggestions: PermissionUpdate[] = [],
): Pick<NativeApproval, "key" | "covers"> {
  const rules = suggestions.flatMap(rulesOf);
  const folders = suggestions.flatMap((one) => one.directories ?? []);
  const modes = suggestions.flatMap((one) => one.mode ?? []);
  if (rules.length > 0) return covering(rules, "Whatever fits", folders);
  if (folders.length > 0) return covering(folders, "The same tool in the folder");
  if (modes.length > 0)
    return covering(modes, "The same tool wherever Claude Code suggests the mode");
  return {};
}

function rulesOf({ rules = [] }: PermissionUpdate): string[] {
  return rules.map(({ toolName, ruleContent }) =>
    ruleContent ? `${toolName}(${ruleContent})` : toolName,
  );
}

/** What Claude Code does from then on, where it keeps its own suggestions for the session. */
export function inClaudeCode(suggestions: PermissionUpdate[]): string[] {
  return suggestions.flatMap((one) => [
    ...rulesOf(one).map((rule) => `Claude Code lets run whatever fits ${rule}, in this session.`),
    ...(one.directories ?? []).map(
      (folder) => `Claude Code may work in the folder ${folder}, in this session.`,
    ),
    ...(one.mode === undefined ? [] : [`Claude Code changes to its mode ${one.mode}.`]),
  ]);
}

/** @param folders where it holds: what fits a rule may still write into any of them */
function covering(
  what: string[],
  words: string,
  folders: string[] = [],
): Pick<NativeApproval, "key" | "covers"> {
  const where = folders.length === 0 ? "" : ` in the folder ${folders.join(", ")}`;
  const lines = what.map((one) => `${words} ${one}${where}`);
  return {
    key: [...what, ...folders].join("; "),
    covers: {
      session: lines.map((line) => `${line}, in this session.`),
      always: lines.map((line) => `${line}, in every session, until you revoke it.`),
    },
  };
}

import type { NativeApproval } from "../../core/index.ts";
import type { PermissionUpdate } from "./sdk.ts";

/** The use of a tool that Claude Code asks about, and the folder that it works in. */
interface Use {
  toolName: string;
  folder: string;
}

/**
 * What "do not ask again" means for this call, taken from what the SDK suggests: each of its rules,
 * else files in its folders, and all of it in the folder that Claude works in. A call is covered by
 * what was approved if the SDK suggests no more for it than that. A mode is nobody's to remember: it
 * would let other tools do other things.
 */
export function remembers(
  suggestions: PermissionUpdate[] = [],
  { toolName, folder }: Use,
): Pick<NativeApproval, "keys" | "covers"> {
  const rules = suggestions.flatMap(rulesOf);
  const others = suggestions.flatMap((one) => one.directories ?? []);
  const folders = [...new Set(others.length > 0 ? others : [folder])].join(", ");
  if (rules.length > 0) {
    const where = [...new Set([folder, ...others])].join(", ");
    return covering(
      rules.map((rule) => [`${rule} in ${where}`, `Whatever fits ${rule} in ${where}`]),
    );
  }
  if (suggestions.length === 0) return {};
  const what = `${toolName}: files in ${folders}`;
  return covering([[what, `Changes by ${toolName} to files in ${folders}`]]);
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

/** @param what is remembered, and what the card says that it covers */
function covering(what: [key: string, words: string][]): Pick<NativeApproval, "keys" | "covers"> {
  return {
    keys: what.map(([key]) => key),
    covers: {
      session: what.map(([, words]) => `${words}, in this session.`),
      always: what.map(([, words]) => `${words}, in every session, until you revoke it.`),
    },
  };
}

import type { Turn } from "../../core/index.ts";
import type { AskOptions } from "./sdk.ts";

/** What it may be given beside the command: nothing that changes how or where that runs. */
const HARMLESS = new Set(["command", "description", "timeout"]);

interface Use {
  toolName: string;
  input: Record<string, unknown>;
  options: AskOptions;
}

/**
 * What Claude's Bash is to run in place of a command that can do nothing but ask people here; nothing
 * for any other use, and where Claude Code has a reason of its own to ask, such as a person's rule.
 *
 * @param at the call, and the folder in which Claude may be allowed to change files
 */
export function askingInput(
  turn: Pick<Turn, "askingLine">,
  at: { toolCallId: string; folder: string },
  { toolName, input, options }: Use,
): Record<string, unknown> | undefined {
  const { command, ...rest } = input;
  if (toolName !== "Bash" || typeof command !== "string" || !isPlain(options)) return undefined;
  if (!Object.keys(rest).every((name) => HARMLESS.has(name))) return undefined;
  const line = turn.askingLine(command, at);
  return line === undefined ? undefined : { ...input, command: line };
}

/** Claude Code asks because nothing allows it. Where it does not say why, there may be a rule. */
function isPlain({ decisionReasonType, matchedAskRule, blockedPath }: AskOptions): boolean {
  return decisionReasonType === "other" && !matchedAskRule && blockedPath === undefined;
}

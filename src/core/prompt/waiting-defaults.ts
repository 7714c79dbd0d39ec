import { DEFAULTS, type PromptRequest } from "../../protocol/index.ts";
import { defined } from "../interaction.ts";

/** How long a prompt stays open, and whether it waits for people who are not there yet. */
export interface Waiting {
  /** `null`: for ever. */
  timeoutMs: number | null;
  whenUnavailable: "throw" | "wait";
}

/** What the owner of the server wants for every prompt that does not say it itself. */
export type WaitingDefaults = Partial<Waiting>;

/** Of a prompt that a tool's own code opens. */
const OF_TOOLS: Waiting = {
  timeoutMs: DEFAULTS.interactionTimeoutMs,
  whenUnavailable: "throw",
};

/** Of what is there to ask people: questions, permissions, and everything from outside. */
const OF_ASKING: Waiting = { timeoutMs: null, whenUnavailable: "wait" };

/** What the prompt says counts; then what the owner wants; then what its kind of prompt does. */
export function waitingOf(
  kind: "tool" | "asking",
  defaults: WaitingDefaults | undefined,
  { timeoutMs, whenUnavailable }: Pick<PromptRequest, "timeoutMs" | "whenUnavailable">,
): Waiting {
  const usual = { ...(kind === "asking" ? OF_ASKING : OF_TOOLS), ...defined(defaults ?? {}) };
  return {
    timeoutMs: timeoutMs === undefined ? usual.timeoutMs : timeoutMs,
    whenUnavailable: whenUnavailable ?? usual.whenUnavailable,
  };
}

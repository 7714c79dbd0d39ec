import { type InteractionRequest, PromptRequest } from "../../protocol/index.ts";
import { checkPrompt } from "./check-request.ts";
import { throughJson, toFailure } from "../call/journal.ts";
import { ToolError } from "../call/tool.ts";

/** What a hook returned, checked and made into data. */
export type CheckedOutcome =
  | { kind: "complete"; value: unknown }
  | { kind: "reprompt"; prompt: PromptRequest }
  | { kind: "pending"; result: unknown }
  | { kind: "error"; error: { code: string; message: string } };

/** Runs a hook. Whatever it does, there is an outcome: a throw or nonsense is an error. */
export async function outcomeOf(
  hook: () => unknown,
  before: InteractionRequest,
): Promise<CheckedOutcome> {
  try {
    return read(await hook(), before);
  } catch (error) {
    return { kind: "error", error: toFailure(error) };
  }
}

function read(outcome: unknown, before: InteractionRequest): CheckedOutcome {
  if (outcome === null || typeof outcome !== "object" || isAmbiguous(outcome)) throw nonsense();
  if ("reprompt" in outcome && outcome.reprompt !== undefined) {
    const { reprompt } = outcome;
    if (reprompt === null || typeof reprompt !== "object") throw nonsense();
    return { kind: "reprompt", prompt: checkPrompt({ type: before.interactionType, ...reprompt }) };
  }
  if ("pending" in outcome && outcome.pending !== undefined) {
    const { message, queued = true } = (outcome.pending ?? {}) as Record<string, unknown>;
    if (typeof message !== "string" || typeof queued !== "boolean") throw nonsense();
    const result = { pending: true, ...(queued ? { queued } : {}), message };
    return { kind: "pending", result };
  }
  if ("complete" in outcome) {
    const value = throughJson(outcome.complete);
    return isQueued(value) ? { kind: "pending", result: value } : { kind: "complete", value };
  }
  throw nonsense();
}

/** Two outcomes at once: to pick one would be to guess. */
function isAmbiguous(outcome: object): boolean {
  const { complete, reprompt, pending } = outcome as Record<string, unknown>;
  return [complete, reprompt, pending].filter((one) => one !== undefined).length > 1;
}

/** A result that says of itself that the answer is still to come. */
export function isQueued(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const { pending, queued } = value as { pending?: unknown; queued?: unknown };
  return pending === true && queued === true;
}

function nonsense(): ToolError {
  return new ToolError(
    "tool_error",
    "The tool's hook must return one of { complete }, { reprompt } and { pending: { message } }.",
  );
}

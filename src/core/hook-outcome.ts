import { type InteractionRequest, PromptRequest } from "../protocol/index.ts";
import { checkPrompt } from "./check-request.ts";
import { throughJson, toFailure } from "./journal.ts";
import { ToolError } from "./tool.ts";

/** What a hook decided, checked and made into data. */
export type Decision =
  | { kind: "complete"; value: unknown }
  | { kind: "reprompt"; prompt: PromptRequest }
  | { kind: "pending"; result: unknown }
  | { kind: "error"; error: { code: string; message: string } };

/** Runs a hook. Whatever it does, the answer is a decision: a throw or nonsense is an error. */
export async function decide(hook: () => unknown, before: InteractionRequest): Promise<Decision> {
  try {
    return read(throughJson(await hook()), before);
  } catch (error) {
    return { kind: "error", error: toFailure(error) };
  }
}

function read(outcome: unknown, before: InteractionRequest): Decision {
  if (outcome === null || typeof outcome !== "object") throw nonsense();
  if ("reprompt" in outcome) {
    const again = { type: before.interactionType, ...(outcome.reprompt as object | null) };
    return { kind: "reprompt", prompt: checkPrompt(again) };
  }
  if ("pending" in outcome) {
    const { message } = (outcome.pending ?? {}) as { message?: unknown };
    if (typeof message !== "string") throw nonsense();
    return { kind: "pending", result: { pending: true, queued: true, message } };
  }
  if ("complete" in outcome) {
    const value = outcome.complete;
    return isQueued(value) ? { kind: "pending", result: value } : { kind: "complete", value };
  }
  // `{ complete: undefined }` loses its key on the way through JSON.
  if (Object.keys(outcome).length === 0) return { kind: "complete", value: undefined };
  throw nonsense();
}

/** A result that says of itself that the answer is still to come. */
function isQueued(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const { pending, queued } = value as { pending?: unknown; queued?: unknown };
  return pending === true && queued === true;
}

function nonsense(): ToolError {
  return new ToolError(
    "tool_error",
    "The tool's hook must return { complete }, { reprompt } or { pending: { message } }.",
  );
}

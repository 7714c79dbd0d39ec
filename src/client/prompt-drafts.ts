import type { InteractionView } from "./view.ts";

/** Half-filled prompts, by their id. Contract: no value of a secret field is given to it. */
export interface PromptDrafts {
  get(id: string): Record<string, unknown> | undefined;
  /** Nothing worth keeping drops it. */
  set(id: string, values: object): void;
  drop(id: string): void;
}

/** Where the draft of a prompt stands in a storage, before the id of the prompt. */
export const PROMPT_DRAFT = "beckon:draft:";

export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/**
 * A draft belongs to one prompt: a re-prompt has another id and inherits nothing. What cannot be
 * kept (no storage, or a full one) is not kept; typing goes on.
 */
export function createPromptDrafts(storage: DraftStorage): PromptDrafts {
  const drop = (id: string) => attempt(() => storage.removeItem(PROMPT_DRAFT + id));
  return {
    get: (id) => toValues(attempt(() => storage.getItem(PROMPT_DRAFT + id))),
    set(id, values) {
      const text = JSON.stringify(values);
      if (text === "{}") drop(id);
      else attempt(() => storage.setItem(PROMPT_DRAFT + id, text));
    },
    drop,
  };
}

/** A storage may be forbidden, full or gone at any time. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Anybody on this origin could have written it. */
function toValues(text: string | null | undefined): Record<string, unknown> | undefined {
  if (text === null || text === undefined) return undefined;
  const value: unknown = attempt(() => JSON.parse(text));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as Record<string, unknown>;
}

/**
 * Names an attempt at what a prompt asks. The next one begins with what was typed into this one and
 * not sent.
 *
 * @param ahead 1 for the next attempt, 0 for this one
 */
export function attemptKey(
  sessionId: string,
  { callId, request }: Pick<InteractionView, "callId" | "request">,
  ahead: 0 | 1,
): string {
  return JSON.stringify([sessionId, callId, request.toolName, request.attempt + ahead]);
}

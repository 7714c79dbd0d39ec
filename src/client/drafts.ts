import type { InteractionRequest } from "../protocol/index.ts";
import { withoutSecrets } from "./form-values.ts";
import { attempt, createPromptDrafts, type DraftStorage, PROMPT_DRAFT } from "./prompt-drafts.ts";

/** Half-filled forms and unsent messages, kept until they are sent or their prompt ends. */
export interface Drafts {
  get(id: string): Record<string, unknown> | undefined;
  /** `request`, for a prompt: its secret fields are left out. Nothing worth keeping drops it. */
  set(id: string, values: Record<string, unknown>, request?: InteractionRequest): void;
  drop(id: string): void;
  /** Drops the drafts of prompts that are not among these any more. Unsent messages stay. */
  keepOnly(interactionIds: Iterable<string>): void;
  /** What was typed into a session's composer and not sent. */
  message(sessionId: string): string;
  setMessage(sessionId: string, text: string): void;
}

const MESSAGE = "beckon:message:";

/** Drafts of prompts, and of messages beside them. */
export function createDrafts(storage: DraftStorage): Drafts {
  const prompts = createPromptDrafts(storage);
  const drop = (key: string) => attempt(() => storage.removeItem(key));
  const write = (key: string, text: string) => attempt(() => storage.setItem(key, text));
  return {
    ...prompts,
    set: (id, values, request) => prompts.set(id, withoutSecrets(values, request?.inputSchema)),
    keepOnly(interactionIds) {
      const open = new Set(interactionIds);
      const ended = keysOf(storage).filter(
        (key) => key.startsWith(PROMPT_DRAFT) && !open.has(key.slice(PROMPT_DRAFT.length)),
      );
      for (const key of ended) drop(key);
    },
    message: (sessionId) => attempt(() => storage.getItem(MESSAGE + sessionId)) ?? "",
    setMessage(sessionId, text) {
      if (text === "") drop(MESSAGE + sessionId);
      else write(MESSAGE + sessionId, text);
    },
  };
}

function keysOf(storage: DraftStorage): string[] {
  const keys = attempt(() => Array.from({ length: storage.length }, (_, at) => storage.key(at)));
  return (keys ?? []).filter((key) => key !== null);
}

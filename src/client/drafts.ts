import type { InputSchema, InteractionRequest } from "../protocol/index.ts";

/** Half-filled prompts, by their id. Contract: no value of a secret field is given to it. */
export interface PromptDrafts {
  get(id: string): Record<string, unknown> | undefined;
  /** Nothing worth keeping drops it. */
  set(id: string, values: object): void;
  drop(id: string): void;
}

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

const PROMPT = "beckon:draft:";
const MESSAGE = "beckon:message:";

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/**
 * A draft belongs to one prompt: a re-prompt has another id and inherits nothing. What cannot be
 * kept (no storage, or a full one) is not kept; typing goes on.
 */
export function createPromptDrafts(storage: DraftStorage): PromptDrafts {
  const drop = (id: string) => attempt(() => storage.removeItem(PROMPT + id));
  return {
    get: (id) => toValues(attempt(() => storage.getItem(PROMPT + id))),
    set(id, values) {
      const text = JSON.stringify(values);
      if (text === "{}") drop(id);
      else attempt(() => storage.setItem(PROMPT + id, text));
    },
    drop,
  };
}

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
        (key) => key.startsWith(PROMPT) && !open.has(key.slice(PROMPT.length)),
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

/** A storage may be forbidden, full or gone at any time. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function keysOf(storage: DraftStorage): string[] {
  const keys = attempt(() => Array.from({ length: storage.length }, (_, at) => storage.key(at)));
  return (keys ?? []).filter((key) => key !== null);
}

/** Anybody on this origin could have written it. */
function toValues(text: string | null | undefined): Record<string, unknown> | undefined {
  if (text === null || text === undefined) return undefined;
  const value: unknown = attempt(() => JSON.parse(text));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as Record<string, unknown>;
}

function withoutSecrets(
  values: Record<string, unknown>,
  schema: InputSchema | undefined,
): Record<string, unknown> {
  const fields = [
    ...(schema?.fields ?? []),
    ...(schema?.sections ?? []).flatMap((section) => section.fields),
  ];
  const secret = new Set(fields.filter((one) => one.type === "secret").map((one) => one.id));
  return Object.fromEntries(
    Object.entries(values).filter(([id, value]) => !secret.has(id) && value !== undefined),
  );
}

import type { InteractionView } from "../client/index.ts";

/** How a card stands. */
export type CardState =
  | "pending"
  | "submitting"
  | "queued"
  | "orphaned"
  | "read_only"
  | "completed"
  | "completed_elsewhere"
  | "timed_out"
  | "cancelled"
  | "failed"
  | "replaced";

export interface CardFacts {
  interactive: boolean;
  submitting: boolean;
  clientId: string;
  now: number;
}

export function cardState(interaction: InteractionView, facts: CardFacts): CardState {
  const { state, response, reason } = interaction;
  if (state === "replaced" || reason === "superseded") return "replaced";
  if (state === "answered")
    return response?.responder.clientId === facts.clientId ? "completed" : "completed_elsewhere";
  if (state === "closed") return reason ?? "failed";
  if (facts.submitting) return "submitting";
  if (!facts.interactive) return "read_only";
  return interaction.late ?? "pending";
}

export function summaryOf(interaction: InteractionView, clientId: string): string {
  const { response, reason } = interaction;
  if (!response) {
    if (reason === "timed_out") return "Nobody answered in time";
    if (reason === "cancelled") return "Cancelled before anybody answered";
    if (reason === "failed") return "The call failed before anybody answered";
    return "Replaced by a newer prompt";
  }
  const word = { approve: "Allowed", deny: "Denied", submit: "Answered", cancel: "Not answered" };
  const { responder } = response;
  const mine = responder.clientId === clientId;
  return `${word[response.action]}${mine ? "" : ` on another device by ${responder.name ?? responder.id}`}`;
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]/gu;

export function visibleText(text: string, options: { multiline?: boolean } = {}): string {
  return text.replace(HIDDEN, (one) =>
    options.multiline && (one === "\n" || one === "\t")
      ? one
      : `\\u{${one.codePointAt(0)?.toString(16).toUpperCase()}}`,
  );
}

export interface Drafts {
  get(id: string): Record<string, unknown> | undefined;
  set(id: string, values: Record<string, unknown>): void;
  drop(id: string): void;
}

export function createDrafts(storage: Storage): Drafts {
  const name = (id: string) => `beckon:draft:${id}`;
  return {
    get(id) {
      const text = storage.getItem(name(id));
      return text === null ? undefined : (JSON.parse(text) as Record<string, unknown>);
    },
    set: (id, values) => storage.setItem(name(id), JSON.stringify(values)),
    drop: (id) => storage.removeItem(name(id)),
  };
}

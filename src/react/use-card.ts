import { type RefObject, useEffect, useRef, useState } from "react";
import {
  type CardState,
  cardState,
  type InteractionView,
  newId,
  summaryOf,
  timeLeft,
} from "../client/index.ts";
import { attemptKey } from "../client/prompt-drafts.ts";
import type { FieldErrors, InteractionResponse, ResponseBody } from "../protocol/index.ts";
import type { Reply } from "../transport/index.ts";
import { useBeckon } from "./transport-context.tsx";
import { useArmed, useNow } from "./use-time.ts";

/** What every card knows and can do, whatever it asks. */
export interface CardModel {
  /** The prompt as it stands, with what the server told this card before its log did. */
  interaction: InteractionView;
  state: CardState;
  /** It may be answered here and now. */
  answerable: boolean;
  /** Answerable for long enough that an answer is meant: approving and submitting work. */
  armed: boolean;
  /** Why the last try did not count, or what the tool found wrong; what was typed is kept. */
  problem?: string;
  /** By field, question index, or path in an edited input. */
  fieldErrors: FieldErrors;
  /** How often an answer was refused here. */
  refusals: number;
  /** Milliseconds until the server stops waiting; missing where it waits for ever. */
  timeLeft?: number;
  /** How it ended, in words; missing while it is open. */
  summary?: string;
  clientId: string;
  /** Goes to the element of the card, which gets the focus that its controls lose. */
  ref: RefObject<HTMLElement | null>;
  respond: (body: ResponseBody) => Promise<void>;
  /** Marks fields as wrong without asking the server. */
  refuse: (fieldErrors: FieldErrors) => void;
  /** The person changed it, so what was said about it is over. */
  clearError: (fieldId: string) => void;
}

export interface CardOptions {
  sessionId: string;
  interaction: InteractionView;
  /** Whether people may answer here. By default as the provider says. */
  interactive?: boolean;
  /** Sends the answer. By default with `transport.respond`, which needs the prompt's id. */
  send?: (body: ResponseBody) => Promise<Reply>;
  /** Under which the half-written answer is kept. */
  draftId: string;
  /** Ids of fields whose values must not be kept once they are sent. */
  secretFields?: string[];
}

interface Told {
  /** How often something was refused here: each time the focus goes to the first wrong field. */
  refusals?: number;
  overlay?: Partial<InteractionView>;
  problem?: string;
  fieldErrors: FieldErrors;
}

/** Sends one answer at a time, and keeps what came of it. */
export function useCard(options: CardOptions): CardModel {
  const { sessionId, interaction: logged } = options;
  const { transport, drafts, carried, interactive: mode } = useBeckon();
  const { interactive = mode } = options;
  const { clientId } = transport;
  const ref = useRef<HTMLElement>(null);
  const sending = useRef(false);
  const lastSent = useRef({ text: "", responseId: "" });
  const [submitting, setSubmitting] = useState(false);
  const [told, setTold] = useState<Told>(() => ({
    problem: logged.request.error,
    fieldErrors: logged.request.fieldErrors ?? {},
  }));

  const interaction =
    logged.state === "open" && told.overlay ? { ...logged, ...told.overlay } : logged;
  const open = interaction.state === "open";
  const now = useNow(timeLeft(interaction, 0) !== undefined);
  const state = cardState(interaction, { interactive, submitting, clientId });
  const answerable = open && interactive && !submitting;

  const send =
    options.send ??
    ((body: ResponseBody) =>
      transport.respond(
        { sessionId, toolCallId: interaction.callId, interactionId: interaction.id },
        body,
      ));

  async function respond(body: ResponseBody): Promise<void> {
    if (!answerable || sending.current) return;
    sending.current = true;
    // What has the focus is about to be disabled, and a disabled element loses it to the page.
    if (ref.current?.contains(document.activeElement)) ref.current.focus();
    setSubmitting(true);
    setTold(({ refusals }) => ({ refusals, fieldErrors: {} }));
    try {
      const reply = await send({ ...body, responseId: idFor(body, lastSent.current) });
      if (reply.ok) {
        drafts.drop(options.draftId);
        carried.delete(attemptKey(sessionId, interaction, 1));
      }
      setTold((before) =>
        reply.ok
          ? accepted(interaction, body, clientId, options.secretFields)
          : again(before, refused(reply)),
      );
    } catch (error) {
      const why = error instanceof Error ? ` (${error.message})` : "";
      const problem = `Your answer was not sent${why}. It is kept here: try again.`;
      setTold(({ refusals }) => ({ refusals, problem, fieldErrors: {} }));
    } finally {
      sending.current = false;
      setSubmitting(false);
    }
  }

  useEffect(() => {
    if (!told.refusals) return;
    const wrong = ref.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    (wrong instanceof HTMLFieldSetElement ? wrong.querySelector("input") : wrong)?.focus();
  }, [told.refusals]);

  return {
    interaction,
    state,
    answerable,
    armed: useArmed(answerable),
    problem: told.problem,
    fieldErrors: told.fieldErrors,
    refusals: told.refusals ?? 0,
    timeLeft: timeLeft(interaction, now),
    summary: open ? undefined : summaryOf(interaction, clientId),
    clientId,
    ref,
    respond,
    refuse: (fieldErrors) => setTold((before) => again(before, { fieldErrors })),
    clearError: (fieldId) =>
      setTold((before) => {
        const { [fieldId]: was, ...fieldErrors } = before.fieldErrors;
        if (!was) return before;
        // A sentence on all of them is over with the last; what a tool said first is not.
        const stays = !before.refusals || Object.keys(fieldErrors).length > 0;
        return { ...before, fieldErrors, problem: stays ? before.problem : undefined };
      }),
  };
}

function again(before: Told, told: Told): Told {
  return { ...told, refusals: (before.refusals ?? 0) + 1 };
}

/** The same answer again, after nobody replied, goes under the same id, so that it counts once. */
function idFor(body: ResponseBody, last: { text: string; responseId: string }): string {
  const text = JSON.stringify(body);
  if (last.text !== text) Object.assign(last, { text, responseId: newId() });
  return last.responseId;
}

/** The server has it; its log will say the same in a moment, and then the log counts. */
function accepted(
  interaction: InteractionView,
  { responseId = "", input, ...body }: ResponseBody,
  clientId: string,
  secretFields: string[] = [],
): Told {
  const response: InteractionResponse = {
    ...body,
    input:
      input &&
      Object.fromEntries(Object.entries(input).filter(([id]) => !secretFields.includes(id))),
    secretFields: secretFields.filter((id) => input && id in input),
    toolCallId: interaction.callId,
    interactionId: interaction.id,
    answerId: responseId,
    responder: { id: "", clientId },
  };
  return ended({ state: "answered", response });
}

function refused({ code, error, fieldErrors = {}, response, reason }: Refusal): Told {
  if (code === "already_answered" && response) return ended({ state: "answered", response });
  if (code === "stale_interaction") return ended({ state: "replaced" });
  if (code === "interaction_closed")
    return ended({ state: "closed", reason: (reason ?? "cancelled") as InteractionView["reason"] });
  const kept = code === "interaction_disabled" ? " Your answer is kept here." : "";
  return { problem: error + kept, fieldErrors };
}

type Refusal = Extract<Reply, { ok: false }>;

function ended(how: Partial<InteractionView>): Told {
  return { overlay: { ...how, pending: false }, fieldErrors: {} };
}

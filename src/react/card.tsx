import { type ReactNode, useEffect, useId, useRef } from "react";
import { afterTimeout, type CardState, promptTitle, visibleText } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";
import { isTextField, onCardKey } from "./card-keys.ts";
import { useAnnounce } from "./live-region.tsx";
import { endOf, newsOf } from "./prompt-words.ts";
import { useBeckon, useConnection } from "./transport-context.tsx";
import type { CardModel } from "./use-card.ts";
import { useSettling } from "./use-settling.ts";
import { inWords } from "./use-time.ts";

/** What every card takes. */
export interface CardProps {
  /**
   * Whether a fresh card takes the focus when nobody is typing.
   *
   * @default true
   */
  autoFocus?: boolean;
  /** Whether this card may be answered here, where that differs from the provider's mode. */
  interactive?: boolean;
  /**
   * The card stands in a frame of the app that says by itself that it waits: it draws neither.
   *
   * @default false
   */
  embedded?: boolean;
  /** Called when the prompt ends while the card is shown, however it ends. */
  onEnded?: (state: CardState) => void;
}

interface FrameProps extends CardProps {
  card: CardModel;
  kind: "approval" | "question" | "form";
  /** What Ctrl or Cmd with Enter does. */
  send: () => void;
  keys: string;
  /** Stands before the body and works also where the card can only be read. */
  lead?: ReactNode;
  children: ReactNode;
  /** Shown in place of the children once it ended. */
  ended?: ReactNode;
  /** What it was about, in place of its title once it ended; empty hides the title. */
  gist?: string;
}

/** What all cards have in common: title, state, time left, notices, keys, focus, announcements. */
export function Card(props: FrameProps) {
  const { card, kind, embedded, children, lead, ended } = props;
  const id = useId();
  const open = card.interaction.state === "open";
  const focusHandlers = useFocus(props, open);
  useNews(props, open);
  const settling = useSettling(open);
  return (
    <section
      {...focusHandlers}
      ref={card.ref}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      aria-busy={card.state === "submitting"}
      className="bk-card"
      // Keys work all the time: they go to what has the focus, wherever that has moved.
      style={settling && open ? UNTOUCHABLE : undefined}
      data-beckon-card={kind}
      data-state={card.state}
      data-action={open ? undefined : card.interaction.response?.action}
      data-failed={card.interaction.failure ? "" : undefined}
      data-embedded={embedded || undefined}
      data-fresh={(card.answerable && !card.armed) || undefined}
      onKeyDown={(event) => onCardKey(event, props.send)}
    >
      <Head {...props} id={id} open={open} />
      <Notice card={card} />
      {card.problem !== undefined && open && (
        <p role="alert" className="bk-problem">
          {visibleText(card.problem, { multiline: true })}
        </p>
      )}
      {open && lead}
      {open ? (
        <fieldset className="bk-body" disabled={!card.answerable}>
          {children}
        </fieldset>
      ) : (
        ended
      )}
      {card.answerable && <p className="bk-keys">{visibleText(props.keys)}</p>}
    </section>
  );
}

/** What it asks and how it stands; once it ended, what became of it comes first. */
function Head({ card, embedded, gist, id, open }: FrameProps & { id: string; open: boolean }) {
  const status = card.summary ?? (embedded ? SENDING[card.state] : STATUS[card.state]);
  const title = (
    <div className={open || gist === undefined ? "bk-title" : "bk-unseen"} id={id}>
      {visibleText(promptTitle(card.interaction.request))}
    </div>
  );
  return (
    <div className="bk-head">
      {open && title}
      {status !== undefined && <span className="bk-status">{visibleText(status)}</span>}
      {!open && title}
      {!open && gist && <code className="bk-gist">{visibleText(gist)}</code>}
      {card.timeLeft !== undefined && <TimeLeft ms={card.timeLeft} of={card.interaction.request} />}
    </div>
  );
}

/** How long there is to answer, and what happens then. */
function TimeLeft({ ms, of: request }: { ms: number; of: InteractionRequest }) {
  return (
    <>
      <time role="timer" className="bk-time" dateTime={request.expiresAt}>
        {ms > 0 ? inWords(ms) : "Time is up"}
      </time>
      <span className="bk-after">{afterTimeout(request)}</span>
    </>
  );
}

const SENDING: Partial<Record<CardState, string>> = { submitting: "Sending…" };
const UNTOUCHABLE = { pointerEvents: "none" } as const;

const STATUS: Partial<Record<CardState, string>> = {
  ...SENDING,
  pending: "Waiting for your answer",
  queued: "Waiting for your answer",
  orphaned: "Waiting for your answer",
  read_only: "Waiting for an answer",
};

function Notice({ card }: { card: CardModel }) {
  const { enable } = useBeckon();
  const connection = useConnection();
  if (card.interaction.state !== "open") return null;
  if (card.state === "read_only")
    return (
      <p className="bk-notice">
        Interactive mode is off here: enable it to respond.{" "}
        {enable && (
          <button type="button" onClick={enable}>
            Enable
          </button>
        )}
      </p>
    );
  if (card.state === "submitting" && connection.state !== "online")
    return (
      <p className="bk-notice" role="status">
        There is no connection. Your answer is sent as soon as it is back.
      </p>
    );
  const { late } = card.interaction;
  return late ? <p className="bk-notice">{LATE[late]}</p> : null;
}

const LATE = {
  orphaned: "The run that asked is gone; your answer will be sent as a message.",
  queued: "The call went on without an answer; yours will be sent as a message.",
};

/** A fresh card takes the focus unless somebody types, and keeps it when its controls go. */
function useFocus({ card, autoFocus = true }: FrameProps, open: boolean) {
  const inside = useRef(false);
  const wanted = useRef(autoFocus && card.answerable);
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    const active = document.activeElement;
    if (!isTextField(active) && !active?.closest("[data-beckon-card], dialog"))
      card.ref.current?.focus();
  }, [card.ref]);
  useEffect(() => {
    if (!open && inside.current && document.activeElement === document.body)
      card.ref.current?.focus();
  }, [open, card.ref]);
  return {
    onFocus: () => {
      inside.current = true;
    },
    onBlur: (event: { relatedTarget: EventTarget | null }) => {
      if (event.relatedTarget) inside.current = false;
    },
  };
}

/** Tells screen readers of a new prompt, and of the end of one that was seen open. */
function useNews({ card, onEnded }: FrameProps, open: boolean) {
  const announce = useAnnounce();
  const seenOpen = useRef(false);
  const { state } = card;
  const { id } = card.interaction;
  const sentence = open ? newsOf(card.interaction.request) : endOf(card.interaction, card.clientId);
  const told = useRef(onEnded);
  useEffect(() => {
    told.current = onEnded;
  });
  useEffect(() => {
    if (open) {
      seenOpen.current = true;
      announce(sentence, `${id} open`);
    } else if (seenOpen.current) {
      seenOpen.current = false;
      announce(sentence, `${id} ended`);
      told.current?.(state);
    }
  }, [open, announce, sentence, state, id]);
}

import { type ReactNode, useEffect, useId, useRef } from "react";
import { type CardState, visibleText } from "../client/index.ts";
import { isTextField, onCardKey } from "./card-keys.ts";
import { useAnnounce } from "./live-region.tsx";
import { useBeckon, useConnection } from "./transport-context.tsx";
import type { CardModel } from "./use-card.ts";
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
  /** Called when the prompt ends while the card is shown, however it ends. */
  onEnded?: (state: CardState) => void;
}

interface FrameProps extends CardProps {
  card: CardModel;
  kind: "approval" | "question" | "form";
  title: string;
  /** What is announced of a new prompt. */
  news: string;
  /** What Ctrl or Cmd with Enter does. */
  send: () => void;
  keys: string;
  children: ReactNode;
  /** Shown in place of the children once it ended. */
  ended?: ReactNode;
}

/** What all cards have in common: title, state, time left, notices, keys, focus, announcements. */
export function Card(props: FrameProps) {
  const { card, kind, title, children, ended } = props;
  const id = useId();
  const open = card.interaction.state === "open";
  const focusHandlers = useFocus(props, open);
  useNews(props, open);
  return (
    <section
      {...focusHandlers}
      ref={card.ref}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      aria-busy={card.state === "submitting"}
      className="bk-card"
      data-beckon-card={kind}
      data-state={card.state}
      onKeyDown={(event) => onCardKey(event, props.send)}
    >
      <div className="bk-head">
        <div className="bk-title" id={id}>
          {visibleText(title)}
        </div>
        <span className="bk-status">
          {card.summary ? visibleText(card.summary) : STATUS[card.state]}
        </span>
        {card.timeLeft !== undefined && (
          <time role="timer" className="bk-time" dateTime={card.interaction.request.expiresAt}>
            {card.timeLeft > 0 ? inWords(card.timeLeft) : "Time is up"}
          </time>
        )}
      </div>
      <Notice card={card} />
      {card.problem !== undefined && open && (
        <p role="alert" className="bk-problem">
          {visibleText(card.problem, { multiline: true })}
        </p>
      )}
      {open ? (
        <fieldset className="bk-body" disabled={!card.answerable}>
          {children}
        </fieldset>
      ) : (
        ended
      )}
      {card.answerable && <p className="bk-keys">{props.keys}</p>}
    </section>
  );
}

const STATUS: Partial<Record<CardState, string>> = {
  pending: "Waiting for your answer",
  queued: "Waiting for your answer",
  orphaned: "Waiting for your answer",
  submitting: "Sending…",
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
function useNews({ card, title, news, onEnded }: FrameProps, open: boolean) {
  const announce = useAnnounce();
  const seenOpen = useRef(false);
  const { state, summary } = card;
  const { id } = card.interaction;
  const told = useRef(onEnded);
  useEffect(() => {
    told.current = onEnded;
  });
  useEffect(() => {
    if (open) {
      seenOpen.current = true;
      announce(visibleText(news), `${id} open`);
    } else if (seenOpen.current) {
      seenOpen.current = false;
      announce(`${visibleText(title)}: ${visibleText(summary ?? "")}`, `${id} ended`);
      told.current?.(state);
    }
  }, [open, announce, news, title, summary, state, id]);
}

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { type CardState, promptTitle, visibleText } from "../client/index.ts";
import { decisionAt, isTextField, onCardKey } from "./card-keys.ts";
import { useAnnounce } from "./live-region.tsx";
import { CardNotice, KeyHint, TimeLeft } from "./on-demand-components.ts";
import { endOf, newsOf } from "./prompt-words.ts";
import type { CardModel } from "./use-card.ts";
import { useSettling } from "./use-settling.ts";

/** What every card takes. */
export interface CardProps {
  /**
   * Whether a fresh card takes the focus when nobody is typing. An app says with `data-beckon-yields`
   * on its own field that nobody types there now.
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
  /** What Ctrl or Cmd with Enter does, unless a button that decides has the focus. */
  send: () => void;
  /** What that is called. */
  chord: string;
  /** Other keys, in words. */
  keys?: string[];
  /** Stands before the body and works also where the card can only be read. */
  lead?: ReactNode;
  children: ReactNode;
  /** The buttons that decide, in an element of the class `bk-row` that stays in view. */
  actions: ReactNode;
  /** Shown in place of the children once it ended. */
  ended?: ReactNode;
  /** What it was about, in place of its title once it ended; empty hides the title. */
  gist?: string;
}

/** What all cards have in common: title, state, time left, notices, keys, focus, announcements. */
export function Card(props: FrameProps) {
  const { card, kind, embedded, children, lead, ended, actions } = props;
  const { ref, state, answerable, armed } = card;
  const id = useId();
  const open = card.interaction.state === "open";
  const { decision, ...focusHandlers } = useFocus(props, open);
  useNews(props, open);
  const settling = useSettling(open);
  const head = (
    <>
      <Head {...props} id={id} open={open} />
      {open && state !== "pending" && <CardNotice card={card} />}
      {card.problem !== undefined && open && (
        <p role="alert" className="bk-problem">
          {visibleText(card.problem, { multiline: true })}
        </p>
      )}
    </>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only hears its controls
    <section
      {...focusHandlers}
      ref={ref}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      aria-busy={state === "submitting"}
      className="bk-card"
      style={settling && open ? UNTOUCHABLE : undefined}
      data-beckon-card={kind}
      data-state={state}
      data-open={open || undefined}
      data-action={open ? undefined : card.interaction.response?.action}
      data-failed={card.interaction.failure ? "" : undefined}
      data-embedded={embedded || undefined}
      data-fresh={(answerable && !armed) || undefined}
      // A chord that was meant for a card which has just ended must not decide the next one.
      onKeyDown={(event) => onCardKey(event, () => !settling && props.send())}
    >
      {open ? (
        <>
          <div className="bk-main">
            {head}
            {lead}
            <fieldset className="bk-body" disabled={!answerable}>
              {children}
            </fieldset>
          </div>
          <fieldset
            className="bk-acts"
            disabled={!answerable}
            data-beckon-options={kind === "approval" ? "" : undefined}
          >
            {actions}
          </fieldset>
        </>
      ) : (
        <>
          {head}
          {ended}
        </>
      )}
      {answerable && <KeyHint keys={props.keys} chord={props.chord} decision={decision} />}
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

const SENDING: Partial<Record<CardState, string>> = { submitting: "Sending…" };
const UNTOUCHABLE = { pointerEvents: "none" } as const;

const STATUS: Partial<Record<CardState, string>> = {
  ...SENDING,
  pending: "Waiting for your answer",
  queued: "Waiting for your answer",
  orphaned: "Waiting for your answer",
  read_only: "Waiting for an answer",
};

/** A fresh card takes the focus unless somebody types, and keeps it when its controls go. */
function useFocus({ card, autoFocus = true }: FrameProps, open: boolean) {
  const inside = useRef(false);
  const [decision, setDecision] = useState<string>();
  const [wanted] = useState(autoFocus && card.answerable);
  useEffect(() => {
    if (!wanted) return;
    const active = document.activeElement;
    const isUsed = isTextField(active) || active?.closest("[data-beckon-card], dialog");
    if (!isUsed || active?.matches("[data-beckon-yields]")) card.ref.current?.focus();
  }, [wanted, card.ref]);
  useEffect(() => {
    if (!open && inside.current && document.activeElement === document.body)
      card.ref.current?.focus();
  }, [open, card.ref]);
  return {
    /** What the button says that has the focus, if it decides. */
    decision,
    onFocus: ({ target }: { target: Element }) => {
      inside.current = true;
      setDecision(decisionAt(target)?.textContent ?? undefined);
    },
    onBlur: (event: { relatedTarget: EventTarget | null }) => {
      if (event.relatedTarget) inside.current = false;
      setDecision(undefined);
    },
  };
}

/** Tells screen readers of a new prompt, of the end of one that was seen open, and of a failure after it. */
function useNews({ card, onEnded }: FrameProps, open: boolean) {
  const announce = useAnnounce();
  const seenOpen = useRef(false);
  const { id } = card.interaction;
  const sentence = open ? newsOf(card.interaction.request) : endOf(card.interaction, card.clientId);
  const told = useRef(() => {});
  useEffect(() => {
    told.current = () => onEnded?.(card.state);
  });
  useEffect(() => {
    if (open) seenOpen.current = true;
    if (seenOpen.current) announce(sentence, id);
  }, [open, announce, sentence, id]);
  useEffect(() => {
    if (!open && seenOpen.current) told.current();
  }, [open]);
}

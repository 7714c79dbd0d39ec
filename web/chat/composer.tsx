import { ArrowUp, Clock, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import type { BlockView, ChatView } from "../../src/client/index.ts";
import { useTransport } from "../../src/react/index.ts";
import { useMediaQuery } from "../shell/use-media-query.ts";
import { useFocusInside } from "./use-focus-inside.ts";
import { useMessageFocus } from "./use-message-focus.ts";
import { useSend } from "./use-send.ts";

interface Props {
  sessionId: string;
  view: ChatView;
  queued: Extract<BlockView, { kind: "message" }>[];
  /** Where people choose how it asks. */
  mode?: ReactNode;
  /** Whether the agent takes messages while it works. */
  steers: boolean;
  onShowPrompt: () => void;
  onSent: () => void;
}

export function Composer(props: Props) {
  const { sessionId, view, queued, mode, onShowPrompt, onSent } = props;
  const transport = useTransport();
  const { text, setText, send, busy, problem } = useSend(sessionId, onSent);
  const area = useRef<HTMLTextAreaElement>(null);
  // A phone's keyboard has no Shift+Enter.
  const touch = useMediaQuery("(pointer: coarse)");
  const small = useMediaQuery("(max-width: 640px), (max-height: 700px)");
  const running = view.turns.some((turn) => turn.kind === "turn" && !turn.end);
  const waits = view.pending.length > 0;
  const steers = running && props.steers;
  const focusUnlessAtCard = useMessageFocus(area, { touch, waits });
  const foot = useRef<HTMLElement>(null);
  const focused = useFocusInside(foot);
  // What is written next comes second, on a small screen also for whoever is in the empty field.
  const isUsed = focused !== undefined && !(small && focused instanceof HTMLTextAreaElement);
  const isFolded = waits && text === "" && !isUsed;

  const [notStopped, setNotStopped] = useState<string>();
  const stop = () =>
    void transport.cancel(sessionId).then(
      () => setNotStopped(undefined),
      (error: unknown) => setNotStopped(error instanceof Error ? error.message : String(error)),
    );
  const submit = (event?: FormEvent, delivery?: "steer" | "interrupt") => {
    event?.preventDefault();
    void send(delivery).then(focusUnlessAtCard);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Safari ends a composition before the key that ended it; that key is 229.
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || touch || composing) return;
    event.preventDefault();
    submit(undefined, steers && (event.ctrlKey || event.metaKey) ? "steer" : undefined);
  };
  return (
    <footer className="composer-foot shrink-0 pb-4" data-folded={isFolded} ref={foot}>
      <div className="column">
        <Queued messages={queued} />
        {(waits || steers) && text.trim() !== "" && (
          <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
            {!waits && <span className="max-sm:hidden">The agent is at work.</span>}
            {waits && "A message does not answer a prompt"}
            {waits && (steers ? "." : ": it waits until the turn has ended.")}
            {waits && (
              <button className="link-button" onClick={onShowPrompt}>
                Show the prompt
              </button>
            )}
            {steers && (
              <>
                <button className="button text-ink" onClick={() => submit(undefined, "steer")}>
                  Send now
                </button>
                <button className="button text-ink" onClick={() => submit()}>
                  Send after this turn
                </button>
              </>
            )}
            {waits && (
              <button className="link-button" onClick={() => submit(undefined, "interrupt")}>
                Stop and send
              </button>
            )}
          </p>
        )}
        {problem && (
          <p role="alert" className="mb-2 text-sm text-danger">
            {problem} Your message is still here.
          </p>
        )}
        {notStopped && running && (
          <p role="alert" className="mb-2 text-sm text-danger">
            It was not stopped. {notStopped}
          </p>
        )}
        <form className="composer" onSubmit={submit}>
          <textarea
            ref={area}
            rows={1}
            aria-label="Message"
            data-beckon-yields={text === "" || busy || undefined}
            placeholder={running ? "Write the next message…" : "Write a message…"}
            value={text}
            enterKeyHint={touch ? "enter" : "send"}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
          {running && (
            <button
              type="button"
              className="icon-button border border-line"
              aria-label="Stop the agent"
              title="Stop the agent"
              onClick={stop}
            >
              <Square aria-hidden size={14} fill="currentColor" />
            </button>
          )}
          <button
            className="icon-button icon-strong"
            aria-label={running ? "Send after this turn" : "Send message"}
            title={running ? "Send after this turn" : "Send message"}
            disabled={busy || text.trim() === ""}
          >
            <ArrowUp aria-hidden size={18} />
          </button>
        </form>
        <div className="composer-more mt-1.5 flex items-center gap-3 px-1 text-xs text-soft empty:hidden">
          {!touch && (
            <p className="flex-1">
              <kbd>Enter</kbd> sends{running && " after this turn"},{" "}
              {steers && (
                <>
                  <kbd>Ctrl</kbd>+<kbd>Enter</kbd> now,{" "}
                </>
              )}
              <kbd>Shift</kbd>+<kbd>Enter</kbd> starts a new line
            </p>
          )}
          {mode}
        </div>
      </div>
    </footer>
  );
}

function Queued({ messages }: { messages: Props["queued"] }) {
  if (messages.length === 0) return null;
  return (
    <ul className="mb-2 grid max-h-40 gap-1 overflow-y-auto" aria-label="Queued messages">
      {messages.map(({ id, text }) => (
        <li key={id} className="flex items-center gap-2 rounded-lg bg-side px-3 py-1.5 text-sm">
          <Clock aria-hidden size={14} className="shrink-0 text-soft" />
          <span className="min-w-0 flex-1 truncate">{text}</span>
          <span className="shrink-0 text-xs text-soft">Queued</span>
        </li>
      ))}
    </ul>
  );
}

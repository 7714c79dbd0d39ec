import { Brain, ChevronRight, CircleAlert, Reply } from "lucide-react";
import type { BlockView } from "../../src/client/index.ts";
import { Markdown } from "../markdown/lazy-markdown.tsx";
import { visibleText } from "../parts.ts";
import { addressOf } from "../route.ts";

export function Message(props: {
  block: Extract<BlockView, { kind: "message" }>;
  sessionId: string;
}) {
  const { text, source, interactionId } = props.block;
  const late = source === "late_answer";
  return (
    <article className="message" aria-label={late ? "Your late answer" : "You"}>
      {late && (
        <p className="mb-1 flex items-center gap-1.5 text-xs text-soft">
          <Reply aria-hidden size={13} /> Late answer
          {interactionId && (
            <a
              className="underline"
              href={addressOf({ page: "session", sessionId: props.sessionId, interactionId })}
            >
              to this prompt
            </a>
          )}
        </p>
      )}
      <p className="break-words whitespace-pre-wrap">{text}</p>
    </article>
  );
}

export function Text({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <article aria-label="Agent" aria-busy={streaming}>
      <Markdown text={text} streaming={streaming} />
    </article>
  );
}

export function Thinking({ text }: { text: string }) {
  return (
    <details className="thinking">
      <summary>
        <ChevronRight aria-hidden size={15} className="chevron" />
        <Brain aria-hidden size={15} /> Thinking
      </summary>
      <div className="mt-2 border-l-2 border-line pl-4 text-sm text-soft">
        <Markdown text={text} />
      </div>
    </details>
  );
}

export function ErrorNote({ code, message }: { code: string; message: string }) {
  return (
    <div className="error-note">
      <CircleAlert aria-hidden size={17} className="mt-0.5 shrink-0" />
      <p className="min-w-0 break-words">
        {visibleText(message, { multiline: true })}{" "}
        <span className="text-xs opacity-80">({visibleText(code)})</span>
      </p>
    </div>
  );
}

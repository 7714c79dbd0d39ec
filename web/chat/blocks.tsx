import { Brain, ChevronRight, CircleAlert, Reply, Terminal } from "lucide-react";
import { use } from "react";
import { type BlockView, senderName, visibleText } from "../../src/client/index.ts";
import { Markdown } from "../markdown/lazy-markdown.tsx";
import { MyId } from "../personal.tsx";
import { addressOf } from "../route.ts";

export function Message(props: {
  block: Extract<BlockView, { kind: "message" }>;
  sessionId: string;
}) {
  const { text, source, sender, interactionId } = props.block;
  const late = source === "late_answer";
  const name = senderName(sender, use(MyId)) ?? "Message";
  const isProgram = sender?.kind === "machine";
  return (
    <article
      className={isProgram ? "message message-program" : "message"}
      aria-label={late ? lateLabel(name) : name}
    >
      {(isProgram || (sender && name !== "You")) && (
        <p className="mb-1 flex items-center gap-1.5 text-xs text-soft">
          {isProgram && <Terminal aria-hidden size={13} />} {name}
        </p>
      )}
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

function lateLabel(name: string): string {
  return name === "You" ? "Your late answer" : `Late answer: ${name}`;
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

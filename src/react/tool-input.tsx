import { type ReactNode, useEffect, useRef, useState } from "react";
import { visibleText } from "../client/index.ts";
import { diffLines, toInputView } from "./tool-input-view.ts";

interface ToolInputProps {
  value: unknown;
  /** Called once when the end of it has been on screen. */
  onSeen?: () => void;
}

/** Exactly what a call would run with: a command, a diff, a file or JSON, to its end. */
export function ToolInput({ value, onSeen }: ToolInputProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(false);
  function look() {
    const box = ref.current;
    if (!box) return;
    const atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - EDGE_PX;
    setMore(!atEnd);
    if (atEnd) onSeen?.();
  }
  useEffect(look, [value]);
  return (
    <>
      <div
        ref={ref}
        className="bk-input"
        role="group"
        aria-label="What will run"
        tabIndex={0}
        onScroll={look}
      >
        <Parts value={value} />
      </div>
      {more && (
        <p className="bk-notice">
          There is more below.{" "}
          <button
            type="button"
            onClick={() => {
              const box = ref.current;
              if (box) box.scrollTop = box.scrollHeight;
              look();
            }}
          >
            Go to the end
          </button>
        </p>
      )}
    </>
  );
}

const EDGE_PX = 8;

function Parts({ value }: { value: unknown }) {
  const view = toInputView(value);
  switch (view.kind) {
    case "command":
      return (
        <>
          <Code label="Command">{visibleText(view.command, LINES)}</Code>
          <Rest value={view.rest} />
        </>
      );
    case "diff":
      return (
        <>
          {view.path !== undefined && <p className="bk-path">{visibleText(view.path)}</p>}
          {view.edits.map((edit, index) => (
            <Code key={index} label="Change">
              {diffLines(edit).map(({ mark, text }, line) => {
                const Line = mark === "-" ? "del" : mark === "+" ? "ins" : "span";
                return <Line key={line}>{`${mark} ${visibleText(text, LINES)}\n`}</Line>;
              })}
            </Code>
          ))}
          <Rest value={view.rest} />
        </>
      );
    case "file":
      return (
        <>
          <p className="bk-path">{visibleText(view.path)}</p>
          <Code label="Content">{visibleText(view.content, LINES)}</Code>
          <Rest value={view.rest} />
        </>
      );
    case "text":
      return <Code label="Input">{visibleText(view.text, LINES)}</Code>;
    case "json":
      return <Code label="Input">{toJson(view.value)}</Code>;
  }
}

const LINES = { multiline: true };

function Code({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className="bk-code" data-beckon-view={label.toLowerCase()}>
      <figcaption>{label}</figcaption>
      <pre>{children}</pre>
    </figure>
  );
}

function Rest({ value }: { value: Record<string, unknown> }) {
  return Object.keys(value).length > 0 ? <Code label="And">{toJson(value)}</Code> : null;
}

function toJson(value: unknown): string {
  return visibleText(JSON.stringify(value, null, 2) ?? "nothing", LINES);
}

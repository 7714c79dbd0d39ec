import { useEffect, useRef, useState } from "react";
import { type InputPart, toInputParts, visibleText } from "../client/index.ts";
import { diffLines } from "./diff-lines.ts";

interface ToolInputProps {
  value: unknown;
  /** @default "What will run" */
  label?: string;
  /** Called once when the end of it has been on screen. */
  onSeen?: () => void;
}

/** Exactly what a call would run with: a command, a diff, a file or JSON, to its end. */
export function ToolInput({ value, label = "What will run", onSeen }: ToolInputProps) {
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
  const parts = toInputParts(value);
  return (
    <>
      <div
        ref={ref}
        className="bk-input"
        role="group"
        aria-label={label}
        tabIndex={0}
        onScroll={look}
        hidden={parts.length === 0}
      >
        {parts.map((part, index) => (
          <Part key={index} part={part} />
        ))}
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

function Part({ part: { label, text, after } }: { part: InputPart }) {
  return (
    <figure className="bk-code" data-beckon-view={label.toLowerCase()}>
      <figcaption>{label}</figcaption>
      <pre>
        {after === undefined
          ? visibleText(text, LINES)
          : diffLines(text, after).map(({ mark, text: line }, index) => {
              const Line = mark === "-" ? "del" : mark === "+" ? "ins" : "span";
              return <Line key={index}>{`${mark} ${visibleText(line, LINES)}\n`}</Line>;
            })}
      </pre>
    </figure>
  );
}

const LINES = { multiline: true };

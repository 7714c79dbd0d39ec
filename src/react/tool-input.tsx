import { useEffect, useMemo, useRef, useState } from "react";
import { type InputPart, toInputParts, visibleText } from "../client/index.ts";
import { DiffView } from "./parts.ts";

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
  const parts = useMemo(() => toInputParts(value), [value]);
  const changes = parts.filter((part) => "change" in part);
  const drawn = useRef(new Set<number>());
  function look() {
    const box = ref.current;
    // A change is drawn by a part of the page that comes later: what is not there is not seen.
    if (!box || drawn.current.size < changes.length) return;
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
        aria-label={label}
        tabIndex={0}
        onScroll={look}
        hidden={parts.length === 0}
      >
        {parts.map((part, index) => (
          <Part
            key={index}
            part={part}
            onDrawn={() => {
              drawn.current.add(index);
              look();
            }}
          />
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

function Part({ part, onDrawn }: { part: InputPart; onDrawn: () => void }) {
  return (
    <figure className="bk-code" data-beckon-view={part.label.toLowerCase()}>
      <figcaption>{part.label}</figcaption>
      {"change" in part ? (
        <DiffView change={part.change} onDrawn={onDrawn} />
      ) : (
        <pre>{visibleText(part.text, { multiline: true })}</pre>
      )}
    </figure>
  );
}

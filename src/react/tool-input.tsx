import { useMemo, useRef } from "react";
import { type InputPart, toInputParts, visibleText } from "../client/index.ts";
import { DiffView } from "./parts.ts";
import { useEndSeen } from "./use-end-seen.ts";

interface ToolInputProps {
  value: unknown;
  /** @default "What will run" */
  label?: string;
  /** A part that stands elsewhere. */
  except?: InputPart["label"];
  /** Called once when the end of it has been on screen. */
  onSeen?: () => void;
}

/** Exactly what a call would run with: a command, a diff, a file or JSON, to its end. */
export function ToolInput({ value, label = "What will run", except, onSeen }: ToolInputProps) {
  const ref = useRef<HTMLDivElement>(null);
  const parts = useMemo(
    () => toInputParts(value).filter((part) => part.label !== except),
    [value, except],
  );
  // A change is drawn by a part of the page that comes later: what is not there is not seen.
  const drawn = useRef(new Set<number>());
  useEndSeen(ref, {
    of: parts,
    isDrawn: () => parts.every((part, at) => !("change" in part) || drawn.current.has(at)),
    onSeen,
  });
  return (
    <div
      ref={ref}
      className="bk-input"
      role="group"
      aria-label={label}
      tabIndex={0}
      hidden={parts.length === 0}
    >
      {parts.map((part, index) => (
        <Part key={index} part={part} onDrawn={() => void drawn.current.add(index)} />
      ))}
    </div>
  );
}

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

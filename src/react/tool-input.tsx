import { useMemo, useRef } from "react";
import { type InputPart, toInputParts, visibleText } from "../client/index.ts";
import { DiffView } from "./on-demand-components.ts";
import { useEndSeen } from "./use-end-seen.ts";

interface ToolInputProps {
  value: unknown;
  /** @default "What will run" */
  label?: string;
  /** Parts that stand elsewhere. */
  except?: readonly InputPart["label"][];
  /** Called once when the end of it has been on screen; missing while not all of it is drawn. */
  onSeen?: () => void;
}

/** Exactly what a call would run with: a command, a diff, a file or JSON, to its end. */
export function ToolInput({ value, label = "What will run", except, onSeen }: ToolInputProps) {
  const ref = useRef<HTMLDivElement>(null);
  const parts = useMemo(
    () => toInputParts(value).filter((part) => !except?.includes(part.label)),
    [value, except],
  );
  useEndSeen(ref, parts, onSeen);
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
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { part: InputPart }) {
  return (
    <figure className="bk-code" data-beckon-view={part.label.toLowerCase()}>
      <figcaption>{part.label}</figcaption>
      {"change" in part ? (
        <DiffView change={part.change} />
      ) : (
        <pre>{visibleText(part.text, { multiline: true })}</pre>
      )}
    </figure>
  );
}

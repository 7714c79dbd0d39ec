import { useMemo, useRef, useState } from "react";
import { type InputPart, visibleText } from "../client/index.ts";
import { partsBeside } from "../client/told-by-changes.ts";
import type { FileChange } from "../protocol/index.ts";
import { DiffView } from "./diff-view.tsx";
import { FileChanges } from "./file-changes.tsx";
import { useEndSeen } from "./use-end-seen.ts";

export interface ToolInputProps {
  value: unknown;
  /** What it does to files: a diff of each, in place of the parts of the input that say the same. */
  changes?: FileChange[] | undefined;
  /** The folder of the call. */
  folder?: string | undefined;
  /** @default "What will run" */
  label?: string;
  /** Parts that stand elsewhere. */
  except?: readonly InputPart["label"][];
  /** Called once when the end of it has been on screen; missing while not all of it is drawn. */
  onSeen?: () => void;
}

/** Exactly what a call would run with: a command, a diff, a file or JSON, to its end. */
export function ToolInput(props: ToolInputProps) {
  const { value, changes, folder, label = "What will run", except, onSeen } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  const parts = useMemo(
    () => partsBeside(value, changes).filter((part) => !except?.includes(part.label)),
    [value, changes, except],
  );
  useEndSeen(ref, parts, isUnfolded || !changes ? onSeen : undefined);
  return (
    <div
      ref={ref}
      className="bk-input"
      role="group"
      aria-label={label}
      tabIndex={0}
      hidden={parts.length === 0 && !changes}
    >
      {changes && (
        <FileChanges changes={changes} folder={folder} onOpened={() => setUnfolded(true)} />
      )}
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

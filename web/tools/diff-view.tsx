import { visibleText } from "../parts.ts";
import { diffLines, type DiffLine, patchLines } from "./diff-lines.ts";

const MARKS = { added: "+", removed: "−", same: " ", note: "" };

/** A change line by line: from two texts, or as a patch tells it. */
export function DiffView(props: { before: string; after: string } | { patch: string }) {
  const lines: DiffLine[] =
    "patch" in props ? patchLines(props.patch) : diffLines(props.before, props.after);
  return (
    <div className="source">
      <pre tabIndex={0} role="group" aria-label="change" className="diff">
        {lines.map(({ kind, text }, at) => (
          <span key={at} data-kind={kind}>
            <i aria-hidden>{MARKS[kind]}</i>
            <span className="sr-only">
              {kind === "added" ? "added: " : kind === "removed" ? "removed: " : ""}
            </span>
            {visibleText(text, { multiline: true })}
            {"\n"}
          </span>
        ))}
      </pre>
    </div>
  );
}

import { useMemo } from "react";
import { type Change, type DiffRun, toDiff, visibleText } from "../client/index.ts";
import { DIFF_MARKS, TOO_DIFFERENT } from "../client/diff.ts";

/** A change line by line. It scrolls sideways inside itself; lines far from a change are folded. */
export function DiffView({ change }: { change: Change }) {
  const { runs, isWhole } = useMemo(() => toDiff(change), [change]);
  return (
    <>
      {isWhole && <p className="bk-notice">{TOO_DIFFERENT}</p>}
      <div className="bk-diff" role="group" aria-label="Change" tabIndex={0}>
        <div>
          {runs.map((run, index) => (
            <Run key={index} run={run} />
          ))}
        </div>
      </div>
    </>
  );
}

function Run({ run: { kind, lines } }: { run: DiffRun }) {
  if (kind === "folded") {
    return (
      <details>
        <summary>{lines.length} unchanged lines</summary>
        <Run run={{ kind: "same", lines }} />
      </details>
    );
  }
  const Lines = kind === "added" ? "ins" : kind === "removed" ? "del" : "div";
  return (
    <Lines data-kind={kind}>
      {lines.map((line) => `${DIFF_MARKS[kind]}${visibleText(line, LINES)}\n`).join("")}
    </Lines>
  );
}

const LINES = { multiline: true };

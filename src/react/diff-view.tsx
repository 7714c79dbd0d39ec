import { useMemo } from "react";
import { type Change, type DiffRun, toDiff, visibleText } from "../client/index.ts";
import { DIFF_MARKS, TOO_DIFFERENT } from "../client/diff.ts";

/** A change line by line. It scrolls sideways inside itself; lines far from a change are folded. */
export function DiffView({ change }: { change: Change }) {
  const { runs, isWhole } = useMemo(() => toDiff(change), [change]);
  return <DiffRuns runs={runs} isWhole={isWhole} />;
}

interface DiffRunsProps {
  runs: DiffRun[];
  isWhole: boolean;
  /** @default "Change" */
  label?: string;
}

export function DiffRuns({ runs, isWhole, label = "Change" }: DiffRunsProps) {
  return (
    <>
      {isWhole && <p className="bk-notice">{TOO_DIFFERENT}</p>}
      <div className="bk-diff" role="group" aria-label={label} tabIndex={0}>
        <div>
          {runs.map((run, index) => (
            <Run key={index} run={run} />
          ))}
        </div>
      </div>
    </>
  );
}

function Run({ run: { kind, lines, words } }: { run: DiffRun }) {
  if (kind === "folded") {
    return (
      <details>
        <summary>{lines.length} unchanged lines</summary>
        <Run run={{ kind: "same", lines }} />
      </details>
    );
  }
  const Lines = kind === "added" ? "ins" : kind === "removed" ? "del" : "div";
  const mark = DIFF_MARKS[kind];
  return (
    <Lines data-kind={kind}>
      {words
        ? lines.map((line, at) => <MarkedLine key={at} mark={mark} line={line} words={words[at]} />)
        : lines.map((line) => `${mark}${visibleText(line, LINES)}\n`).join("")}
    </Lines>
  );
}

interface MarkedLineProps {
  mark: string;
  line: string;
  words: NonNullable<DiffRun["words"]>[number];
}

/** What hides is shown by what is around it: where its pieces would show another text, it is not cut. */
function MarkedLine({ mark, line, words }: MarkedLineProps) {
  const pieces = words?.map(({ text }) => visibleText(text, LINES));
  const whole = visibleText(line, LINES);
  if (!words || !pieces || pieces.join("") !== whole) return `${mark}${whole}\n`;
  return (
    <>
      {mark}
      {pieces.map((text, at) => (words[at]?.isChanged ? <mark key={at}>{text}</mark> : text))}
      {"\n"}
    </>
  );
}

const LINES = { multiline: true };

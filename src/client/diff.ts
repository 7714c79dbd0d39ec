import { diffArrays } from "diff";
import type { DiffRun } from "./diff-run.ts";
import { withWords } from "./word-marks.ts";

export type { DiffRun } from "./diff-run.ts";

/** A change of a text: the text before and after, or a patch that tells the difference. */
export type Change =
  | { before: string; after: string }
  /** Of one file it has hunks alone: what its lines begin with is a mark, from the first one on. */
  | { patch: string; isOfOneFile?: boolean };

export interface Diff {
  /** In order. Without the added runs they are the text before, without the removed ones the text after. */
  runs: DiffRun[];
  /** The texts differ in more lines than can be compared quickly: all of both is removed and added. */
  isWhole: boolean;
}

/** How many lines that stay are shown before and after a change. */
const CONTEXT = 3;

/** Comparing takes time and memory with the square of this: above it the page would stand still. */
const MOST_DIFFERENCES = 1_000;
const MOST_MILLISECONDS = 500;

/** What a change does, line by line. Nothing is left out: lines far from a change are folded. */
export function toDiff(change: Change): Diff {
  if ("patch" in change) return { runs: withWords(toPatchRuns(change)), isWhole: false };
  const [before, after] = [toLines(change.before), toLines(change.after)];
  const compared = diffArrays(before, after, {
    maxEditLength: MOST_DIFFERENCES,
    timeout: MOST_MILLISECONDS,
  });
  const runs = compared?.map(({ added, removed, value }): DiffRun => ({
    kind: added ? "added" : removed ? "removed" : "same",
    lines: value,
  }));
  const all = runs ? withWords(runs) : betweenEqualEnds(before, after);
  return { runs: foldFar(all), isWhole: !runs };
}

/** A text of nothing has no line; one that ends with a line break has an empty last line. */
function toLines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** Everything is removed and added but for the lines that both texts begin and end with. */
function betweenEqualEnds(before: string[], after: string[]): DiffRun[] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const runs: DiffRun[] = [
    { kind: "same", lines: before.slice(0, head) },
    { kind: "removed", lines: before.slice(head, before.length - tail) },
    { kind: "added", lines: after.slice(head, after.length - tail) },
    { kind: "same", lines: before.slice(before.length - tail) },
  ];
  return runs.filter(({ lines }) => lines.length > 0);
}

function foldFar(runs: DiffRun[]): DiffRun[] {
  if (runs.length < 2) return runs;
  return runs.flatMap((run, at): DiffRun[] => {
    if (run.kind !== "same") return [run];
    const { lines } = run;
    const start = at === 0 ? 0 : CONTEXT;
    const end = lines.length - (at === runs.length - 1 ? 0 : CONTEXT);
    // A fold takes a line itself.
    if (end - start < 2) return [run];
    const pieces: DiffRun[] = [
      { kind: "same", lines: lines.slice(0, start) },
      { kind: "folded", lines: lines.slice(start, end) },
      { kind: "same", lines: lines.slice(end) },
    ];
    return pieces.filter((piece) => piece.lines.length > 0);
  });
}

/** Within a hunk whose head tells its length every first character is a mark, whatever follows. */
function toPatchRuns({ patch, isOfOneFile }: Extract<Change, { patch: string }>): DiffRun[] {
  const runs: DiffRun[] = [];
  let left = { removed: 0, added: 0 };
  let isMarked = false;
  for (const line of (isOfOneFile ? patch.replace(/\n$/, "") : patch).split("\n")) {
    const inHunk = isMarked || left.removed + left.added > 0;
    isMarked ||= isOfOneFile === true && line.startsWith("@@");
    const kind =
      !inHunk && PATCH_NOTE.test(line) ? "note" : (PATCH_MARKS[line[0] ?? " "] ?? "note");
    if (!inHunk) left = readHunkHead(line) ?? left;
    else if (kind === "added") left.added--;
    else if (kind === "removed") left.removed--;
    else if (kind === "same") left = { removed: left.removed - 1, added: left.added - 1 };
    const text = kind === "note" ? line : line.slice(1);
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(text);
    else runs.push({ kind, lines: [text] });
  }
  return runs;
}

const PATCH_NOTE = /^(\+\+\+|---) /;
const PATCH_MARKS: Record<string, DiffRun["kind"]> = { "+": "added", "-": "removed", " ": "same" };

function readHunkHead(line: string): { removed: number; added: number } | undefined {
  const head = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  return head ? { removed: Number(head[1] ?? 1), added: Number(head[2] ?? 1) } : undefined;
}

/** What stands before each line of a run. */
export const DIFF_MARKS = { added: "+ ", removed: "- ", same: "  ", folded: "  ", note: "" };

/** What is said of a change that is shown as a whole. */
export const TOO_DIFFERENT =
  "Too much differs to compare it line by line: all that goes, then all that comes.";

import { diffArrays } from "diff";
import type { DiffRun, LinePiece } from "./diff-run.ts";

/** Comparing takes time: what has more of these is coloured line by line. */
const MOST_PAIRS = 400;
const MOST_WORDS = 200;
const MOST_DIFFERENCES = 40;
/** Marking words in a line that is mostly another says nothing. */
const LEAST_SHARED = 0.35;

/** Says for lines that take the place of others which of their words differ. */
export function withWords(runs: DiffRun[]): DiffRun[] {
  const marked = [...runs];
  let pairs = 0;
  for (const [at, removed] of runs.entries()) {
    const added = runs[at + 1];
    if (removed.kind !== "removed" || added?.kind !== "added") continue;
    // Which of several lines took the place of which is known only where they are as many.
    if (removed.lines.length !== added.lines.length) continue;
    pairs += removed.lines.length;
    if (pairs > MOST_PAIRS) return marked;
    const compared = removed.lines.map((line, index) => compare(line, added.lines[index] ?? ""));
    marked[at] = { ...removed, words: compared.map((pair) => pair?.before) };
    marked[at + 1] = { ...added, words: compared.map((pair) => pair?.after) };
  }
  return marked;
}

function compare(before: string, after: string) {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  if (Math.max(one.length, other.length) > MOST_WORDS) return undefined;
  const parts = diffArrays(one, other, { maxEditLength: MOST_DIFFERENCES });
  if (!parts) return undefined;
  const pieces = parts.map(({ added, removed, value }) => ({
    text: value.join(""),
    added,
    removed,
  }));
  const shared = pieces
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { text }) => sum + text.trim().length, 0);
  const longer = Math.max(before.trim().length, after.trim().length);
  if (shared < LEAST_SHARED * longer) return undefined;
  return {
    before: pieces
      .filter(({ added }) => !added)
      .map(({ text, removed }): LinePiece => ({ text, isChanged: removed })),
    after: pieces
      .filter(({ removed }) => !removed)
      .map(({ text, added }): LinePiece => ({ text, isChanged: added })),
  };
}

/** Words, runs of space, and each other character by itself; together they are the line. */
function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu) ?? [];
}

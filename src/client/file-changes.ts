import type { FileChange } from "../protocol/index.ts";
import { type Change, type DiffRun, toDiff } from "./diff.ts";

/** What becomes of one file. */
export interface FileDiff {
  kind: FileChange["kind"];
  path: string;
  /** Of a move. */
  to?: string;
  runs: DiffRun[];
  /** The texts differ in more lines than can be compared: all of both is removed and added. */
  isWhole: boolean;
  added: number;
  removed: number;
  /** What is not known of it, or that there is nothing to see. */
  note?: string;
}

/** A change of so many lines is folded at first: its file is named, and opens. */
const LARGE = 120;

export function isLarge({ added, removed }: FileDiff): boolean {
  return added + removed > LARGE;
}

/** @param folder of the call: paths in it are shown from there on */
export function toFileDiffs(changes: FileChange[], folder?: string): FileDiff[] {
  return changes.map((change) => {
    const { path, to, kind } = change;
    const texts = toChange(change);
    const { runs, isWhole } = texts ? toDiff(texts) : { runs: [], isWhole: false };
    const note = noteOf(change);
    return {
      kind,
      path: within(path, folder),
      ...(to === undefined ? {} : { to: within(to, folder) }),
      runs,
      isWhole,
      added: countOf(runs, "added"),
      removed: countOf(runs, "removed"),
      ...(note === undefined ? {} : { note }),
    };
  });
}

function within(path: string, folder: string | undefined): string {
  return folder && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

function toChange({ diff, oldText, newText }: FileChange): Change | undefined {
  if (diff !== undefined) return { patch: diff, isOfOneFile: true };
  if (oldText === undefined && newText === undefined) return undefined;
  const texts = { before: oldText ?? "", after: newText ?? "" };
  // The line break that ends a text is no line of its own, where both have it.
  const areEnded = [texts.before, texts.after].every((text) => text === "" || text.endsWith("\n"));
  return areEnded ? { before: texts.before.slice(0, -1), after: texts.after.slice(0, -1) } : texts;
}

function noteOf({ kind, diff, oldText, newText }: FileChange): string | undefined {
  if (diff !== undefined) return undefined;
  if (kind === "delete") return oldText === undefined ? "What is in it is not shown." : undefined;
  if (kind === "add") return newText === "" ? "It is empty." : undefined;
  if (oldText === undefined && newText === undefined)
    return kind === "move" ? "What is in it stays." : "What changes in it is not known here.";
  if (oldText === undefined)
    return "This takes the place of all that was in it, which is not shown.";
  return oldText === newText ? "Nothing in it changes." : undefined;
}

function countOf(runs: DiffRun[], kind: DiffRun["kind"]): number {
  return runs.reduce((sum, run) => sum + (run.kind === kind ? run.lines.length : 0), 0);
}

/** What is said of a file before its name; nothing where its text changes. */
export const FILE_WORDS: Record<FileChange["kind"], string> = {
  add: "New",
  edit: "",
  delete: "Delete",
  move: "Move",
};

/** `+12 −3`, as far as there is any. */
export function countsOf({ added, removed }: FileDiff): string {
  return [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(" ");
}

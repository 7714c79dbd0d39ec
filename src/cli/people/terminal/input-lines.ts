import {
  type Change,
  countsOf,
  type Diff,
  type DiffRun,
  FILE_WORDS,
  type FileDiff,
  partsBeside,
  toDiff,
  toFileDiffs,
  visibleText,
} from "../../../client/index.ts";
import { DIFF_MARKS, TOO_DIFFERENT } from "../../../client/diff.ts";
import type { InteractionRequest } from "../../../protocol/index.ts";
import { cut } from "../../width.ts";
import { type TextLayout, quoted } from "./layout.ts";
import type { Style } from "./screen.ts";

interface Shown {
  /** Also the lines of a change that stay as they are. */
  unfolded?: boolean;
  /** What in it is told elsewhere, as somebody's words. */
  told?: string | undefined;
  /** What it does to files. */
  changes?: InteractionRequest["changes"];
  /** Paths in it are shown from there on. */
  folder?: string | undefined;
}

/** The whole input of a call, and what it does to files. */
export function inputLines(
  input: unknown,
  layout: TextLayout,
  { unfolded = false, told, changes, folder }: Shown = {},
): string[] {
  const { bold } = layout.style;
  const parts = partsBeside(input, changes);
  const files = changes ? filesLines(toFileDiffs(changes, folder), layout, unfolded) : [];
  if (!changes && !parts.some((part) => "change" in part)) {
    const text = inputText(input, told);
    return text === "" ? [] : quoted(text, layout, bold);
  }
  const rest = parts.flatMap((part) => {
    if ("change" in part) return changeLines(toDiff(part.change), layout, unfolded);
    const isRest = part.label === "And";
    const named = isRest ? JSON.parse(part.text) : { [part.label.toLowerCase()]: part.text };
    return quoted(inputText(named), layout, bold);
  });
  return [...files, ...rest];
}

/** Whether a change in it has lines that are folded. */
export function hasFolded(input: unknown, changes?: InteractionRequest["changes"]): boolean {
  const hasFold = ({ runs }: Pick<Diff, "runs">) => runs.some(({ kind }) => kind === "folded");
  const ofInput = (change: Change) => hasFold(toDiff(change));
  if (changes && toFileDiffs(changes).some(hasFold)) return true;
  return partsBeside(input, changes).some((part) => "change" in part && ofInput(part.change));
}

/** First which files, then what becomes of each. */
function filesLines(files: FileDiff[], layout: TextLayout, unfolded: boolean): string[] {
  const { bold, dim } = layout.style;
  const head = (file: FileDiff) => `  ${bold(cut(nameLine(file), layout.columns - 2))}`;
  return [
    ...(files.length > 1 ? [`  ${dim(`${files.length} files`)}`, ...files.map(head), ""] : []),
    ...files.flatMap((file) => [
      head(file),
      ...(file.note === undefined ? [] : quoted(file.note, layout, dim)),
      ...changeLines(file, layout, unfolded),
    ]),
  ];
}

function nameLine(file: FileDiff): string {
  const { kind, path, to } = file;
  const name = visibleText(to === undefined ? path : `${path} to ${to}`);
  return [FILE_WORDS[kind], name, countsOf(file)].filter(Boolean).join(" ");
}

function changeLines(
  { runs, isWhole }: Pick<Diff, "runs" | "isWhole">,
  layout: TextLayout,
  unfolded: boolean,
): string[] {
  return [
    ...(isWhole ? quoted(TOO_DIFFERENT, layout, layout.style.dim) : []),
    ...runs.flatMap((run) => runLines(run, layout, unfolded)),
  ];
}

function runLines({ kind, lines }: DiffRun, layout: TextLayout, unfolded: boolean): string[] {
  const { red, green, dim } = layout.style;
  if (kind === "folded" && !unfolded) {
    return quoted(`… ${lines.length} unchanged lines`, layout, dim);
  }
  const styles: Partial<Record<DiffRun["kind"], Style>> = { added: green, removed: red, note: dim };
  const text = lines.map((line) => DIFF_MARKS[kind] + line).join("\n");
  return quoted(text, layout, styles[kind]);
}

/** Its parts by name where it has some, texts as they are, the rest as JSON; a command's `cwd` is its folder, as on the page. */
function inputText(input: unknown, told?: string): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return valueText(input);
  return Object.entries(input)
    .filter(([name, value]) => name !== "description" || value !== told)
    .map(([key, value]) => {
      const name = key === "cwd" && "command" in input ? "folder" : key;
      const text = valueText(value);
      return text.includes("\n") ? `${name}:\n${text.replaceAll(/^/gm, "  ")}` : `${name}: ${text}`;
    })
    .join("\n");
}

/** JSON of so many characters stays on one line. */
const SHORT = 48;

/** Text that could pass for another value keeps its quotes. */
function valueText(value: unknown): string {
  if (typeof value === "string") return isAmbiguous(value) ? JSON.stringify(value) : value;
  const short = JSON.stringify(value) ?? "";
  return short.length <= SHORT ? short : JSON.stringify(value, null, 2);
}

function isAmbiguous(text: string): boolean {
  if (text === "" || text.trim() !== text) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

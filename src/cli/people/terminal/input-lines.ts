import { type Change, type DiffRun, toDiff, toInputParts } from "../../../client/index.ts";
import { DIFF_MARKS, TOO_DIFFERENT } from "../../../client/diff.ts";
import { type TextLayout, quoted } from "./layout.ts";
import type { Style } from "./screen.ts";

interface Shown {
  /** Also the lines of a change that stay as they are. */
  unfolded?: boolean;
  /** What in it is told elsewhere, as somebody's words. */
  told?: string | undefined;
}

/** The whole input of a call. */
export function inputLines(
  input: unknown,
  layout: TextLayout,
  { unfolded = false, told }: Shown = {},
): string[] {
  const { bold } = layout.style;
  const parts = toInputParts(input);
  if (!parts.some((part) => "change" in part)) {
    const text = inputText(input, told);
    return text === "" ? [] : quoted(text, layout, bold);
  }
  return parts.flatMap((part) => {
    if ("change" in part) return changeLines(part.change, layout, unfolded);
    const isRest = part.label === "And";
    const named = isRest ? JSON.parse(part.text) : { [part.label.toLowerCase()]: part.text };
    return quoted(inputText(named), layout, bold);
  });
}

/** Whether a change in it has lines that are folded. */
export function hasFolded(input: unknown): boolean {
  return toInputParts(input).some(
    (part) => "change" in part && toDiff(part.change).runs.some(({ kind }) => kind === "folded"),
  );
}

function changeLines(change: Change, layout: TextLayout, unfolded: boolean): string[] {
  const { runs, isWhole } = toDiff(change);
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

/** How the input of a call is shown. Whatever the view, nothing of the input is left out. */
export type ToolInputView =
  | { kind: "command"; command: string; rest: Record<string, unknown> }
  | { kind: "diff"; path?: string; edits: Edit[]; rest: Record<string, unknown> }
  | { kind: "file"; path: string; content: string; rest: Record<string, unknown> }
  | { kind: "text"; text: string }
  | { kind: "json"; value: unknown };

interface Edit {
  before: string;
  after: string;
}

/** Chooses by the shape of the input, which holds for every agent's name of the same tool. */
export function toInputView(input: unknown): ToolInputView {
  if (typeof input === "string") return { kind: "text", text: input };
  if (input === null || typeof input !== "object" || Array.isArray(input))
    return { kind: "json", value: input };
  const parts = input as Record<string, unknown>;
  const { command, content, edits } = parts;
  if (typeof command === "string")
    return { kind: "command", command, rest: without(parts, ["command"]) };
  const pathKey = PATH_KEYS.find((key) => typeof parts[key] === "string");
  const path = pathKey && String(parts[pathKey]);
  const single = toEdit(parts);
  if (single)
    return { kind: "diff", path, edits: [single], rest: without(parts, [...EDIT_KEYS, pathKey]) };
  const several = Array.isArray(edits) ? edits.map(toPlainEdit) : [];
  if (several.length > 0 && several.every((edit) => edit !== undefined))
    return { kind: "diff", path, edits: several, rest: without(parts, ["edits", pathKey]) };
  if (typeof content === "string" && path !== undefined)
    return { kind: "file", path, content, rest: without(parts, ["content", pathKey]) };
  return { kind: "json", value: input };
}

const PATH_KEYS = ["file_path", "path", "filePath"];
const EDIT_KEYS = ["old_string", "new_string"];

function toEdit(value: Record<string, unknown>): Edit | undefined {
  const { old_string: before, new_string: after } = value;
  return typeof before === "string" && typeof after === "string" ? { before, after } : undefined;
}

/** An edit that says more than its two texts is shown as JSON, so that the more is seen. */
function toPlainEdit(value: unknown): Edit | undefined {
  if (value === null || typeof value !== "object" || Object.keys(value).length !== 2)
    return undefined;
  return toEdit(value as Record<string, unknown>);
}

function without(parts: Record<string, unknown>, keys: (string | undefined)[]) {
  return Object.fromEntries(Object.entries(parts).filter(([key]) => !keys.includes(key)));
}

export interface DiffLine {
  mark: " " | "-" | "+";
  text: string;
}

/** Lines that both begin or end with stand between what goes and what comes. */
export function diffLines({ before, after }: Edit): DiffLine[] {
  const old = before.split("\n");
  const fresh = after.split("\n");
  const shortest = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shortest && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shortest - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const marked = (mark: DiffLine["mark"], lines: string[]) => lines.map((text) => ({ mark, text }));
  return [
    ...marked(" ", old.slice(0, head)),
    ...marked("-", old.slice(head, old.length - tail)),
    ...marked("+", fresh.slice(head, fresh.length - tail)),
    ...marked(" ", old.slice(old.length - tail)),
  ];
}

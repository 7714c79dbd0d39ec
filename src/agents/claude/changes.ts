import type { FileChange } from "../../protocol/index.ts";
import { type FileBefore, readFileBefore } from "./file-before.ts";
import { inPart } from "./part-of-file.ts";

type Input = Record<string, unknown>;

interface Edit {
  old_string: string;
  new_string: string;
  replace_all?: boolean;
}

/**
 * What a use of one of Claude's file tools is about to do, told from its input and from the file as it
 * is now; nothing for other tools, and where the input is not as expected.
 *
 * Contract: to be called while the call waits to be allowed, for it reads what is there before.
 *
 * @param folder in which the agent works
 */
export async function changesOf(
  toolName: string,
  input: Input,
  folder: string,
): Promise<FileChange[] | undefined> {
  const path = input["file_path"] ?? input["notebook_path"];
  if (!Object.hasOwn(TOOLS, toolName) || typeof path !== "string" || path === "") return undefined;
  const before = await readFileBefore(path, folder);
  return TOOLS[toolName]?.(path, input, before)?.map(inPart);
}

type Tell = (path: string, input: Input, before: FileBefore) => FileChange[] | undefined;

const TOOLS: Record<string, Tell | undefined> = {
  Write: (path, { content }, before) =>
    typeof content === "string" ? [written(path, content, before)] : undefined,
  Edit: (path, input, before) => (isEdit(input) ? edited(path, [input], before) : undefined),
  MultiEdit: (path, { edits }, before) =>
    Array.isArray(edits) && edits.every(isEdit) ? edited(path, edits, before) : undefined,
  NotebookEdit: (path, input, before) => notebook(path, input, before),
};

function written(path: string, newText: string, before: FileBefore): FileChange {
  if (before === "missing") return { path, kind: "add", newText };
  if (before === "unknown") return { path, kind: "edit", newText };
  return { path, kind: "edit", oldText: before.text, newText };
}

/** Where the file cannot be read, or has no such text, the edits are shown as they are. */
function edited(path: string, edits: Edit[], before: FileBefore): FileChange[] {
  const [first] = edits;
  if (before === "missing" && edits.length === 1 && first?.old_string === "") {
    return [{ path, kind: "add", newText: first.new_string }];
  }
  const oldText = typeof before === "string" ? undefined : before.text;
  const newText = oldText === undefined ? undefined : edits.reduce(apply, oldText);
  if (oldText !== undefined && newText !== undefined) {
    return [{ path, kind: "edit", oldText, newText }];
  }
  return edits.map(({ old_string, new_string }) => ({
    path,
    kind: "edit",
    oldText: old_string,
    newText: new_string,
  }));
}

/** The text with one edit made; nothing where the edit does not fit, as when its text is there twice. */
function apply(text: string | undefined, { old_string: old, ...edit }: Edit): string | undefined {
  if (text === undefined || old === "") return undefined;
  const at = text.indexOf(old);
  if (at < 0) return undefined;
  if (edit.replace_all) return text.split(old).join(edit.new_string);
  if (text.includes(old, at + 1)) return undefined;
  return text.slice(0, at) + edit.new_string + text.slice(at + old.length);
}

function isEdit(value: unknown): value is Edit {
  const { old_string, new_string } = (value ?? {}) as Partial<Edit>;
  return typeof old_string === "string" && typeof new_string === "string";
}

interface Cell {
  id?: unknown;
  source?: unknown;
}

/** One cell of a notebook: which one stands in the rest of the input. */
function notebook(path: string, input: Input, before: FileBefore): FileChange[] | undefined {
  const { cell_id, new_source, edit_mode } = input;
  if (typeof new_source !== "string" || edit_mode === "insert") return undefined;
  const cell = typeof before === "string" ? undefined : cellsOf(before.text).find(isMeant);
  const { source } = cell ?? {};
  const oldText = Array.isArray(source) ? source.join("") : source;
  if (typeof oldText !== "string") return undefined;
  return [{ path, kind: "edit", oldText, newText: edit_mode === "delete" ? "" : new_source }];

  function isMeant({ id }: Cell): boolean {
    return id !== undefined && id === cell_id;
  }
}

function cellsOf(text: string): Cell[] {
  try {
    const { cells } = JSON.parse(text) as { cells?: unknown };
    return Array.isArray(cells) ? (cells as Cell[]) : [];
  } catch {
    return [];
  }
}

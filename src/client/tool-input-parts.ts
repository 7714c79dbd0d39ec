import type { InteractionRequest } from "../protocol/index.ts";
import type { Change } from "./diff.ts";

/** A part of an input: text, or a change of a text. */
export type InputPart =
  | {
      label: "Command" | "Folder" | "Description" | "File" | "Content" | "Input" | "And";
      text: string;
    }
  | { label: "Change"; change: Change };

/**
 * An input in parts that are easy to read, whatever the agent calls its tool. Nothing is left out:
 * what has no part of its own comes last, as JSON.
 */
export function toInputParts(input: unknown): InputPart[] {
  if (typeof input === "string") return [{ label: "Input", text: input }];
  if (input === null || typeof input !== "object" || Array.isArray(input))
    return [{ label: "Input", text: toJson(input) }];
  const remaining: Record<string, unknown> = { ...input };
  if (Object.keys(remaining).length === 0) return [];
  const take = (label: Exclude<InputPart["label"], "Change">, key: string): InputPart[] => {
    const text = remaining[key];
    if (typeof text !== "string") return [];
    delete remaining[key];
    return [{ label, text }];
  };
  const command = take("Command", "command");
  const about =
    command.length > 0 ? [...take("Folder", "cwd"), ...take("Description", "description")] : [];
  const content = CONTENT_KEYS.flatMap((key) => take("Content", key));
  const changes = takeChanges(remaining);
  const path = PATH_KEYS.flatMap((key) =>
    content.length + changes.length > 0 ? take("File", key) : [],
  );
  const parts = [...command, ...about, ...path, ...content, ...changes];
  if (parts.length === 0) return [{ label: "Input", text: toJson(remaining) }];
  if (Object.keys(remaining).length > 0) parts.push({ label: "And", text: toJson(remaining) });
  return parts;
}

/** What an input is about, in one line: its command, its file, else all of it; empty if unknown. */
export function gistOfInput(input: unknown): string {
  const [first] = toInputParts(input);
  if (!first) return "";
  if ("change" in first) return firstLine(changeGist(first.change));
  return firstLine(first.label === "Input" ? (JSON.stringify(input) ?? "") : first.text);
}

/** What an approval is about: its command or file; else what the asker says of it, else its input. */
export function gistOfApproval(request: InteractionRequest): string {
  const { toolInput, prompt = "" } = request;
  if (hasWordsAlone(request)) return firstLine(prompt);
  return toolInput === undefined ? "" : gistOfInput(toolInput);
}

/** It has neither a command nor a file: only the words of whoever asks say what it is about. */
export function hasWordsAlone({ toolInput, prompt }: InteractionRequest): boolean {
  if (!prompt) return false;
  const [first] = toInputParts(toolInput);
  return toolInput === undefined || !first || first.label === "Input";
}

/** Of a patch the first file that it names, of a text its new words. */
function changeGist(change: Change): string {
  if ("after" in change) return change.after;
  return PATCHED_FILE.exec(change.patch)?.[1] ?? change.patch;
}

const PATCHED_FILE = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/m;

/** What fits beside a verdict. */
export function firstLine(whole: string): string {
  const [line = ""] = whole.split("\n");
  const short = line.slice(0, GIST_CHARACTERS);
  return short === whole ? short : `${short}…`;
}

const GIST_CHARACTERS = 120;

const CONTENT_KEYS = ["content", "new_source"];
const PATH_KEYS = ["file_path", "path", "notebook_path"];
const PATCH_KEYS = ["diff", "patch"];

function takeChanges(remaining: Record<string, unknown>): InputPart[] {
  const single = toChange(remaining);
  if (single) {
    delete remaining.old_string;
    delete remaining.new_string;
    // What is so unless it is said otherwise.
    if (remaining.replace_all === false) delete remaining.replace_all;
    return [single];
  }
  for (const key of PATCH_KEYS) {
    const patch = remaining[key];
    if (typeof patch !== "string") continue;
    delete remaining[key];
    return [{ label: "Change", change: { patch } }];
  }
  const { edits } = remaining;
  // One that says more than its two texts is shown as JSON, so that the more is seen.
  const several = Array.isArray(edits)
    ? edits.map((one: Record<string, unknown>) =>
        Object.keys(one ?? {}).length === 2 ? toChange(one) : undefined,
      )
    : [];
  if (several.length === 0 || !several.every((one) => one !== undefined)) return [];
  delete remaining.edits;
  return several;
}

function toChange({ old_string: before, new_string: after }: Record<string, unknown>) {
  return typeof before === "string" && typeof after === "string"
    ? { label: "Change" as const, change: { before, after } }
    : undefined;
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

import type { FileChange } from "../protocol/index.ts";
import { type InputPart, toInputParts } from "./tool-input-parts.ts";

/** The parts of an input that the changes of its call do not show already. */
export function partsBeside(input: unknown, changes: FileChange[] | undefined): InputPart[] {
  const parts = toInputParts(input);
  if (changes === undefined) return parts;
  const file = parts.find(({ label }) => label === "File");
  const change = changes.find(({ path }) => file && "text" in file && path === file.text);
  const hasText = change?.newText !== undefined || change?.diff !== undefined;
  return parts.filter((part) => {
    if ("change" in part) return false;
    if (part.label === "Content") return !hasText;
    return part !== file || !change;
  });
}

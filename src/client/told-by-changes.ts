import type { FileChange } from "../protocol/index.ts";
import { type InputPart, toInputParts } from "./tool-input-parts.ts";

/** The parts of an input that the changes of its call do not show already. */
export function partsBeside(input: unknown, changes: FileChange[] | undefined): InputPart[] {
  const parts = toInputParts(input);
  return changes === undefined ? parts : parts.filter((part) => !isTold(part, changes));
}

function isTold(part: InputPart, changes: FileChange[]): boolean {
  if ("change" in part) return true;
  if (part.label === "File") return changes.some(({ path }) => path === part.text);
  if (part.label !== "Content") return false;
  return changes.some(({ newText, diff }) => newText === part.text || diff !== undefined);
}

import type { ToolCallView } from "../../src/client/index.ts";
import { visibleText } from "../parts.ts";

/** Where a tool's input says in few words what the call is about. */
const TELLING = ["command", "file_path", "path", "url", "pattern", "query", "question", "title"];

export function describeCall({ input }: ToolCallView): string {
  if (typeof input !== "object" || input === null) return "";
  for (const key of TELLING) {
    const value = (input as Record<string, unknown>)[key];
    if (typeof value === "string" && value) return visibleText(value.slice(0, 200));
  }
  return "";
}

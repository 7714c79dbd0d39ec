import { type ToolCallView, visibleText } from "../../src/client/index.ts";

/** Where a tool's input says in few words what the call is about. */
const TELLING = ["command", "file_path", "path", "url", "pattern", "query", "question", "title"];

export function describeCall({ input }: ToolCallView): string {
  if (typeof input !== "object" || input === null) return "";
  for (const key of TELLING) {
    const value = (input as Record<string, unknown>)[key];
    if (typeof value === "string" && value) return oneLine(value.slice(0, 200));
  }
  return "";
}

/** An escape for the end of each line would hide the words between them. */
function oneLine(text: string): string {
  return visibleText(text.replaceAll(/[ \t]*\n[ \t\n]*/g, " ↵ "));
}

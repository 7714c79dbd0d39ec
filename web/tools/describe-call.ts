import { type ChatView, type ToolCallView, toTodos, visibleText } from "../../src/client/index.ts";

/** Where a tool's input says in few words what the call is about. */
const TELLING = ["command", "file_path", "path", "url", "pattern", "query", "question", "title"];

export function describeCall({ name, title, input, changes = [] }: ToolCallView): string {
  if (title !== undefined) return oneLine(title.slice(0, 200));
  const todos = toTodos(name, input) ?? [];
  if (todos.length > 0) {
    const done = todos.filter(({ state }) => state === "completed").length;
    return `${done} of ${todos.length} done`;
  }
  if (changes.length > 1) return `${changes.length} files`;
  const [only] = changes;
  if (only) return oneLine(only.path.slice(0, 200));
  if (typeof input !== "object" || input === null) return "";
  for (const key of TELLING) {
    const value = (input as Record<string, unknown>)[key];
    if (typeof value === "string" && value) return oneLine(value.slice(0, 200));
  }
  return "";
}

/** Which sub-agent made a call: what the call that started it says of its work, else its kind. */
export function subAgentOf(view: ChatView, { parentCallId }: ToolCallView): string | undefined {
  if (parentCallId === undefined) return undefined;
  const input = Object(view.calls.get(parentCallId)?.input) as Record<string, unknown>;
  const name = [input["description"], input["subagent_type"]].find(
    (one) => typeof one === "string" && one !== "",
  );
  return typeof name === "string" ? oneLine(name.slice(0, 60)) : "a sub-agent";
}

/** An escape for the end of each line would hide the words between them. */
function oneLine(text: string): string {
  return visibleText(text.replaceAll(/[ \t]*\n[ \t\n]*/g, " ↵ "));
}

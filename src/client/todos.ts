/** One thing on an agent's to-do list. */
export interface Todo {
  text: string;
  state: "pending" | "in_progress" | "completed";
}

type Input = Record<string, unknown>;

/** By the exact names that Claude and Codex use. */
const LISTS: Record<string, ((input: Input) => unknown[]) | undefined> = {
  TodoWrite: ({ todos }) => listOf(todos),
  TaskCreate: (input) => [input],
  // It may name its task by number alone, and may change other things of it than how far it is.
  TaskUpdate: (input) =>
    typeof input["status"] === "string"
      ? [{ text: `Task ${String(input["taskId"])}`, ...input }]
      : [],
  todo_list: ({ items }) => listOf(items),
};

/** The list that a call writes down; nothing for other tools, and where it is not as expected. */
export function toTodos(toolName: string, input: unknown): Todo[] | undefined {
  const list = Object.hasOwn(LISTS, toolName) ? LISTS[toolName] : undefined;
  if (!list || typeof input !== "object" || input === null) return undefined;
  const todos = list(input as Input).map(toTodo);
  return todos.length > 0 && todos.every((one) => one !== undefined) ? todos : undefined;
}

function toTodo(given: unknown): Todo | undefined {
  const { content, subject, text: told, ...more } = (given ?? {}) as Input;
  const text = content ?? subject ?? told;
  if (typeof text !== "string") return undefined;
  const { status, completed } = more;
  if (status === "in_progress") return { text, state: status };
  return { text, state: status === "completed" || completed === true ? "completed" : "pending" };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

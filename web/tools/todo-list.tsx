import { Circle, CircleCheck, CircleDot } from "lucide-react";
import { type Todo, visibleText } from "../../src/client/index.ts";

const ICONS = { pending: Circle, in_progress: CircleDot, completed: CircleCheck };
const WORDS = { pending: "To do", in_progress: "Being done", completed: "Done" };

/** What an agent has set itself to do. */
export function TodoList({ todos }: { todos: Todo[] }) {
  return (
    <ul aria-label="To-do list" className="grid gap-1 text-sm">
      {todos.map(({ text, state }, at) => {
        const Icon = ICONS[state];
        return (
          <li key={at} data-state={state} className="flex min-w-0 items-start gap-2">
            <Icon
              aria-hidden
              size={15}
              className={`mt-0.5 shrink-0 ${state === "completed" ? "text-done" : "text-soft"}`}
            />
            <span className="sr-only">{WORDS[state]}: </span>
            <span
              className={`min-w-0 break-words ${state === "completed" ? "text-soft" : state === "in_progress" ? "font-medium" : ""}`}
            >
              {visibleText(text)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

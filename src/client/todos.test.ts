import { expect, test } from "vitest";
import { toTodos } from "./todos.ts";

test("the to-do lists of Claude and Codex are lists, whichever their shape", () => {
  const todos = [
    { content: "Look", status: "completed", activeForm: "Looking" },
    { content: "Mend", status: "in_progress" },
    { content: "Tell", status: "pending" },
  ];
  expect(toTodos("TodoWrite", { todos })).toEqual([
    { text: "Look", state: "completed" },
    { text: "Mend", state: "in_progress" },
    { text: "Tell", state: "pending" },
  ]);
  const items = [
    { text: "Look", completed: true },
    { text: "Mend", completed: false },
  ];
  expect(toTodos("todo_list", { items })?.map(({ state }) => state)).toEqual([
    "completed",
    "pending",
  ]);
  expect(toTodos("TaskCreate", { subject: "Mend", description: "All of it" })).toEqual([
    { text: "Mend", state: "pending" },
  ]);
  expect(toTodos("TaskUpdate", { taskId: "1", status: "completed" })).toEqual([
    { text: "Task 1", state: "completed" },
  ]);
  expect(toTodos("TaskUpdate", { taskId: "1", addBlocks: ["2"] })).toBeUndefined();
});

test("another tool has none, whatever its input looks like, and a strange list is no list", () => {
  expect(toTodos("mine", { todos: [{ content: "a" }] })).toBeUndefined();
  expect(toTodos("constructor", {})).toBeUndefined();
  expect(toTodos("TodoWrite", { todos: [{ content: 1 }] })).toBeUndefined();
  expect(toTodos("TodoWrite", null)).toBeUndefined();
  expect(toTodos("TodoWrite", { todos: [] })).toBeUndefined();
});

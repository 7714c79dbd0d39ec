import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ToolCallView } from "../../src/client/index.ts";
import { ToolInput } from "./tool-input.tsx";
import { ToolOutput } from "./tool-output.tsx";

const call = (more: Partial<ToolCallView>): ToolCallView => ({
  id: "c1",
  name: "Bash",
  input: {},
  origin: "agent",
  status: "ok",
  output: "",
  interactionIds: [],
  placeholder: false,
  startedAt: "2026-11-19T10:00:00.000Z",
  endedAt: "2026-11-19T10:00:01.000Z",
  ...more,
});
const FAULT = { words: "Failed", isFault: true };

test("a command that Claude Code says has failed shows its output and its exit code in words", () => {
  const message = "Exit code 127\nbash: nope: command not found";
  const failed = call({ status: "error", error: { code: "tool_error", message } });
  render(<ToolOutput call={failed} end={FAULT} asked={false} />);
  expect(screen.getByRole("group", { name: "output" }).textContent).toBe(
    "bash: nope: command not found",
  );
  expect(screen.getByText("Exit code 127: there is no such command")).toBeTruthy();
  expect(document.body.textContent).not.toContain("tool_error");
});

test("the same words of another tool are its error", () => {
  const error = { code: "tool_error", message: "Exit code 1\nno" };
  render(<ToolOutput call={call({ name: "mine", error })} end={FAULT} asked={false} />);
  expect(screen.getByText(/tool_error/)).toBeTruthy();
});

test("an image in a result is drawn from the result, and nothing else is", () => {
  const content = [
    { type: "text", text: "Look" },
    { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
    { type: "image", mimeType: "image/svg+xml", data: "PHN2Zz4=" },
    { type: "image", mimeType: "image/png", data: '"><script>' },
  ];
  render(<ToolOutput call={call({ name: "Read", result: { content } })} end={undefined} asked />);
  const [image, ...more] = screen.getAllByRole<HTMLImageElement>("img");
  expect(image?.src).toBe("data:image/png;base64,iVBORw0KGgo=");
  expect(more).toEqual([]);
  expect(screen.getByText("Look")).toBeTruthy();
});

test("a to-do list is a list, in which each thing says how far it is", () => {
  const todos = [
    { content: "Look\u202E", status: "completed" },
    { content: "Mend", status: "in_progress" },
  ];
  render(<ToolInput call={call({ name: "TodoWrite", input: { todos } })} />);
  const items = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(items).toEqual(["Done: Look\\u{202E}", "Being done: Mend"]);
});

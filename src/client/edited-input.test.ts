import { expect, test } from "vitest";
import { editablePart, parseEdit, toEditableText } from "./edited-input.ts";

const original = { command: "ls", cwd: "/srv" };

test("of an input with a command the command is edited, and all else stays", () => {
  expect(editablePart(original)).toBe("command");
  expect(parseEdit("ls -l", original, "command")).toEqual({
    changed: true,
    value: { command: "ls -l", cwd: "/srv" },
  });
});

test("a command that hides something is edited as JSON, where it is an escape", () => {
  const hiding = { command: "ls \u202Ecba" };
  expect(editablePart(hiding)).toBe("input");
  expect(toEditableText(hiding, "input")).toContain(String.raw`\u202e`);
  expect(parseEdit(toEditableText(hiding, "input"), hiding, "input").changed).toBe(false);
});

test("text that says the same as before is no change", () => {
  expect(parseEdit("ls", original, "command").changed).toBe(false);
  expect(parseEdit('{"command":"ls","cwd":"/srv"}', original, "input").changed).toBe(false);
});

test("what cannot run is told", () => {
  expect(parseEdit(" ", original, "command").problem).toBe("There is no command.");
  expect(parseEdit("{", original, "input").problem).toContain("not JSON yet");
});

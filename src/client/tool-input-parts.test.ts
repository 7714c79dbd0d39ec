import { describe, expect, test } from "vitest";
import { gistOfInput, toInputParts } from "./tool-input-parts.ts";

const labels = (input: unknown) => toInputParts(input).map(({ label }) => label);

describe("the parts of an input", () => {
  test.each([
    ["a command with options", { command: "ls", timeout: 1 }, ["Command", "And"]],
    ["a command in a folder", { command: "ls", cwd: "/srv" }, ["Command", "Folder"]],
    ["a command that says why", { command: "ls", description: "" }, ["Command", "Description"]],
    ["words that are none", { command: "ls", description: ["x"] }, ["Command", "And"]],
    ["a patch", { patch: "-a" }, ["Change"]],
    ["a change", { file_path: "a", old_string: "1", new_string: "2" }, ["File", "Change"]],
    [
      "several changes",
      { path: "a", edits: [{ old_string: "1", new_string: "2" }] },
      ["File", "Change"],
    ],
    ["a file", { file_path: "a", content: "x", mode: 7 }, ["File", "Content", "And"]],
    ["text", "hello", ["Input"]],
    ["a list", [1, 2], ["Input"]],
    ["nothing", null, ["Input"]],
    ["a path alone", { path: "a" }, ["Input"]],
    ["a command that is no text", { command: ["rm", "-rf"] }, ["Input"]],
    [
      "a change that says more than its texts",
      { edits: [{ old_string: "1", new_string: "2", replace_all: true }] },
      ["Input"],
    ],
  ])("%s", (_name, input, expected) => {
    expect(labels(input)).toEqual(expected);
  });

  test("whatever is in an input is in one of its parts", () => {
    const input = {
      command: "COMMAND",
      content: "CONTENT",
      file_path: "PATH1",
      path: "PATH2",
      cwd: "CWD",
      old_string: "OLD",
      new_string: "NEW",
      edits: [{ old_string: "EDIT1", new_string: "EDIT2", more: "EDIT3" }, null],
      other: { deep: ["OTHER"] },
    };
    const shown = JSON.stringify(toInputParts(input));
    for (const word of JSON.stringify(input).match(/[A-Z]+\d?/g) ?? [])
      expect(shown).toContain(word);
  });
});

test.each([
  ["its command", { command: "ls\npwd", cwd: "/" }, "ls…"],
  ["its file", { file_path: "a.ts", old_string: "1", new_string: "2" }, "a.ts"],
  ["the file of its patch", { patch: "--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@" }, "x.ts"],
  ["all of it", { id: 7 }, '{"id":7}'],
])("the gist of an input is %s", (_name, input, gist) => {
  expect(gistOfInput(input)).toBe(gist);
});

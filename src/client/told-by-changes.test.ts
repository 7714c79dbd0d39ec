import { expect, test } from "vitest";
import { partsBeside } from "./told-by-changes.ts";

const labels = (input: unknown, changes: Parameters<typeof partsBeside>[1]) =>
  partsBeside(input, changes).map(({ label }) => label);

test("what the changes of a call show already stands there once; the rest of its input stays", () => {
  const input = { file_path: "/a", old_string: "x", new_string: "y", replace_all: true };
  const changes = [{ path: "/a", kind: "edit" as const, oldText: "x x", newText: "y y" }];
  expect(labels(input, changes)).toEqual(["And"]);
  expect(labels({ ...input, replace_all: false }, changes)).toEqual([]);
  expect(labels(input, undefined)).toEqual(["File", "Change", "And"]);
});

test("content or a path that the changes do not show stays", () => {
  const changes = [{ path: "/a", kind: "add" as const, newText: "one" }];
  expect(labels({ file_path: "/a", content: "one" }, changes)).toEqual([]);
  const bare = [{ path: "/a", kind: "edit" as const }];
  expect(labels({ file_path: "/a", content: "one" }, bare)).toEqual(["Content"]);
  expect(labels({ file_path: "/b", content: "two" }, changes)).toEqual(["File", "Content"]);
  expect(labels({ command: "ls", file_path: "/a" }, changes)).toEqual(["Command", "And"]);
});

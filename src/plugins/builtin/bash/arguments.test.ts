import { type Schema, Validator } from "@cfworker/json-schema";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BASH_PARAMETERS, completeArguments, grantKey } from "./arguments.ts";

test.each([
  [undefined, undefined, homedir()],
  [undefined, "/projects", "/projects"],
  ["sub", "/projects", "/projects/sub"],
  ["../other", "/projects/a", "/projects/other"],
  ["/a/../b/./c//d/", "/projects", "/b/c/d"],
  ["../../../..", "/projects", "/"],
  ["sub", undefined, join(homedir(), "sub")],
  [".", "relative", join(homedir(), "relative")],
])("cwd %s in a session at %s is %s", (cwd, sessionCwd, expected) => {
  const args = completeArguments({ command: "ls", cwd }, { cwd: sessionCwd });
  expect(args).toEqual({ command: "ls", cwd: expected });
});

test("arguments that are complete stay as they are", () => {
  const args = { command: "ls", cwd: "/a", timeoutMs: 5_000, description: "why" };
  expect(completeArguments(args, { cwd: "/b" })).toEqual(args);
});

test("a grant is for the exact command and directory, whatever else was given", () => {
  const key = grantKey({ command: "ls", cwd: "/a" });
  expect(key).toBe('{"command":"ls","cwd":"/a"}');
  expect(grantKey({ description: "x", timeoutMs: 1_000, cwd: "/a", command: "ls" })).toBe(key);
  const others = [
    { command: "ls ", cwd: "/a" },
    { command: "ls", cwd: "/a/" },
    { command: 'ls","cwd":"/a', cwd: "" },
    { command: "ls -a", cwd: "/a" },
  ];
  expect(new Set([key, ...others.map(grantKey)]).size).toBe(5);
});

const validator = new Validator(BASH_PARAMETERS as Schema);
const isValid = (args: unknown) => validator.validate(args).valid;

test.each([
  [{ command: "ls" }, true],
  [{ command: "a\nb\t'\"$`\\ 🙂" }, true],
  [{ command: "" }, false],
  [{}, false],
  [{ command: 1 }, false],
  [{ command: "x".repeat(20_000) }, true],
  [{ command: "x".repeat(20_001) }, false],
  [{ command: "a\0b" }, false],
  [{ command: "ls", cwd: "/a\0b" }, false],
  [{ command: "ls", cwd: "" }, false],
  [{ command: "ls", timeoutMs: 999 }, false],
  [{ command: "ls", timeoutMs: 1_000 }, true],
  [{ command: "ls", timeoutMs: 600_000 }, true],
  [{ command: "ls", timeoutMs: 600_001 }, false],
  [{ command: "ls", timeoutMs: 1_000.5 }, false],
  [{ command: "ls", env: {} }, false],
])("case %#: whether the arguments fit is %s", (args, expected) => {
  expect(isValid(args)).toBe(expected);
});

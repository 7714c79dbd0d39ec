import { expect, test } from "vitest";
import { unwrapShell } from "./unwrap-shell.ts";

test.each([
  ["/bin/bash -lc 'ls -a'", "ls -a"],
  ["/bin/bash -lc ls", "ls"],
  ["/usr/bin/zsh -c 'a\nb'", "a\nb"],
  [`/bin/bash -lc "echo 'it is' \\"so\\" \\$HOME \\\\n"`, `echo 'it is' "so" $HOME \\n`],
  [`/bin/sh -c 'it'"'"'s'`, "it's"],
  [`/bin/sh -c 'it'\\''s'`, "it's"],
])("%s is %s", (whole, command) => {
  expect(unwrapShell(whole)).toBe(command);
});

test.each(["ls -a", "/bin/bash -lc 'ls' second", "/bin/bash -lc 'open", "python -c 'x'", ""])(
  "%s stays as it is",
  (whole) => {
    expect(unwrapShell(whole)).toBe(whole);
  },
);

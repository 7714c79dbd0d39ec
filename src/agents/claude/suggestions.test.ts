import { expect, test } from "vitest";
import { remembers } from "./suggestions.ts";

const bash = { toolName: "Bash", folder: "/work" };
const rule = (ruleContent: string) => ({
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent }],
});
const folders = { type: "addDirectories", directories: ["/srv"] };
const mode = { type: "setMode", mode: "acceptEdits" };

test("each rule is remembered by itself, in the folder that it was given for", () => {
  expect(remembers([rule("touch a.txt"), rule("npm test *")], bash)).toMatchObject({
    keys: ["Bash(touch a.txt) in /work", "Bash(npm test *) in /work"],
    covers: {
      session: [
        "Whatever fits Bash(touch a.txt) in /work, in this session.",
        "Whatever fits Bash(npm test *) in /work, in this session.",
      ],
    },
  });
  expect(remembers([rule("npm test *")], { ...bash, folder: "/other" }).keys).toEqual([
    "Bash(npm test *) in /other",
  ]);
});

test("a rule holds in the folders that it came with, and no further", () => {
  // `npm test > /srv/x` fits the rule of `npm test`; who allowed that has not allowed this.
  const { keys } = remembers([mode, folders, rule("npm test *")], bash);
  expect(keys).toEqual(["Bash(npm test *) in /work, /srv"]);
});

test("without a rule it is the files of one tool in its folders, and never a mode", () => {
  expect(remembers([mode, folders], bash).keys).toEqual(["Bash: files in /srv"]);
  const write = { toolName: "Write", folder: "/work" };
  expect(remembers([mode], write)).toEqual({
    keys: ["Write: files in /work"],
    covers: {
      session: ["Changes by Write to files in /work, in this session."],
      always: ["Changes by Write to files in /work, in every session, until you revoke it."],
    },
  });
});

test("without a suggestion it is the same call again", () => {
  expect(remembers([], bash)).toEqual({});
  expect(remembers(undefined, bash)).toEqual({});
});

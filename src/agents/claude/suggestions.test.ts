import { expect, test } from "vitest";
import { remembers } from "./suggestions.ts";

test("rules hold in the folders they came with, and folders stand before modes", () => {
  const rules = { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "npm test *" }] };
  const folders = { type: "addDirectories", directories: ["/srv"] };
  const mode = { type: "setMode", mode: "acceptEdits" };
  // `npm test > /srv/x` fits the rule of `npm test`; who allowed that has not allowed this.
  expect(remembers([rules]).key).toBe("Bash(npm test *)");
  expect(remembers([mode, folders, rules])).toMatchObject({
    key: "Bash(npm test *); /srv",
    covers: { session: ["Whatever fits Bash(npm test *) in the folder /srv, in this session."] },
  });
  expect(remembers([mode, folders]).key).toBe("/srv");
  expect(remembers([mode]).key).toBe("acceptEdits");
});

test("what is covered is said in words, and without a suggestion it is the same call again", () => {
  expect(remembers([{ type: "addRules", rules: [{ toolName: "WebFetch" }] }]).covers).toEqual({
    session: ["Whatever fits WebFetch, in this session."],
    always: ["Whatever fits WebFetch, in every session, until you revoke it."],
  });
  expect(remembers([])).toEqual({});
  expect(remembers()).toEqual({});
});

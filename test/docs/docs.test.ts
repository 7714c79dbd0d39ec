import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkBlocks, checkExamples } from "./check-blocks.ts";
import { checkLinks, checkReachable } from "./check-links.ts";
import { readTree } from "./tree.ts";

/* Every page is checked: what it shows is run, and what it points at is there. */

const tree = readTree(fileURLToPath(new URL("../..", import.meta.url)));
const pages = tree.paths.filter((path) => path.endsWith(".md"));
const withCode = pages.filter((path) => /^(?:[A-Z]+\.md|docs\/.*|examples\/.*)$/.test(path));

/** Pages from before the rule. None may come to it. */
const TO_BE_CONVERTED = new Set(
  [
    "CONTRIBUTING.md",
    "README.md",
    ...[
      "approvals",
      "asking-from-outside",
      "audit",
      "claude-cli",
      "claude-code",
      "claude",
      "codex",
    ],
    ...["crash-tests", "durable-tools", "interactive-tools", "plugins", "react", "terminal"],
    ...["testing-tools", "unkillable"],
  ].map((page) => (page.endsWith(".md") ? page : `docs/guide/${page}.md`)),
);

test("every block of code in the pages is run, or comes from a file that is run", () => {
  expect(withCode.length).toBeGreaterThan(20);
  const checked = withCode.filter((page) => !TO_BE_CONVERTED.has(page));
  expect(checked.flatMap((page) => checkBlocks(tree, page)).join("\n")).toBe("");
});

test("every example is run by a test", () => {
  expect(checkExamples(tree).join("\n")).toBe("");
});

test("every link and picture in the pages is there", () => {
  expect(pages.flatMap((page) => checkLinks(tree, page)).join("\n")).toBe("");
});

test("every page of docs/ can be found from its first page", () => {
  expect(checkReachable(tree, "docs").join("\n")).toBe("");
});

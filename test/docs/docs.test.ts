import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkBlocks, checkExamples } from "./check-blocks.ts";
import { checkLinks, checkReachable } from "./check-links.ts";
import { checkFileNames, checkScripts } from "./check-names.ts";
import { readTree } from "./tree.ts";

/* Every page is checked: what it shows is run, and what it points at is there. */

const tree = readTree(fileURLToPath(new URL("../..", import.meta.url)));
const pages = tree.paths.filter((path) => path.endsWith(".md"));
const withCode = pages.filter((path) => /^(?:[A-Z]+\.md|docs\/.*|examples\/.*)$/.test(path));

test("every block of code in the pages is run, or comes from a file that is run", () => {
  expect(withCode.length).toBeGreaterThan(20);
  expect(withCode.flatMap((page) => checkBlocks(tree, page)).join("\n")).toBe("");
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

test("every source file that the pages for contributors name is there", () => {
  const named = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
  expect(named.flatMap((page) => checkFileNames(tree, page)).join("\n")).toBe("");
});

test("every command of npm that a page names is one", () => {
  expect(pages.flatMap((page) => checkScripts(tree, page)).join("\n")).toBe("");
});

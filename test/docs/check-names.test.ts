import { expect, test } from "vitest";
import { checkFileNames, checkScripts } from "./check-names.ts";
import { createTree } from "./tree.ts";

const tree = (page: string) =>
  createTree({
    "page.md": page,
    "src/core/engine.ts": "",
    "package.json": '{ "scripts": { "start": "x", "test:crash": "y" } }',
  });

test("a file is named by any end of its path, and one that is not there is found", () => {
  expect(
    checkFileNames(tree("`engine.ts`, `core/engine.ts` → src/core/engine.ts"), "page.md"),
  ).toEqual([]);
  expect(checkFileNames(tree("# Map\n\n`gine.ts` and store/engine.ts"), "page.md")).toEqual([
    "page.md:3: there is no file gine.ts.",
    "page.md:3: there is no file store/engine.ts.",
  ]);
});

test("a command of npm that is not there is found", () => {
  expect(
    checkScripts(tree("npm start, `npm run test:crash`: npm run test:crash: kills"), "page.md"),
  ).toEqual([]);
  expect(checkScripts(tree("`npm test`\n`npm run test:load`"), "page.md")).toEqual([
    "page.md:1: package.json has no script test.",
    "page.md:2: package.json has no script test:load.",
  ]);
});

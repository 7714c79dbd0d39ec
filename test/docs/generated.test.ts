import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { readPage } from "../support/markdown.ts";
import { withTables } from "./tables.ts";

/** Without what the formatter does to a table. */
const plain = (page: string) =>
  page
    .replaceAll(/ +/g, " ")
    .replaceAll(/-{3,}/g, "---")
    .replaceAll(/\n{2,}/g, "\n");

const pages = readdirSync(new URL("../../docs/reference", import.meta.url));

test.each(pages)("the tables of %s are as the sources say; if not: npm run docs", (name) => {
  const page = readPage(`docs/reference/${name}`);
  expect(plain(page)).toBe(plain(withTables(page)));
});

test("there are tables that are made from the sources", () => {
  const all = pages.map((name) => readPage(`docs/reference/${name}`)).join("");
  expect(all.match(/<!-- made by npm run docs: [\w-]+ -->/g)).toHaveLength(3);
});

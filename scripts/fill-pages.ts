import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fillPage } from "../test/docs/fill-page.ts";
import { withTables } from "../test/docs/tables.ts";
import { readTree } from "../test/docs/tree.ts";

/* Writes what `<!-- file: … -->` names into the blocks of all pages, and what is made into tables. */

const root = fileURLToPath(new URL("..", import.meta.url));
const tree = readTree(root);
for (const page of tree.paths.filter((path) => path.endsWith(".md"))) {
  const filled = withTables(fillPage(tree, page));
  if (filled === tree.read(page)) continue;
  writeFileSync(join(root, page), filled);
  console.log(`filled ${page}`);
}

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withTables } from "./docs/tables.ts";

/* Writes the tables of docs/reference anew that are made from the sources: `npm run docs`. */

const folder = fileURLToPath(new URL("../docs/reference", import.meta.url));
for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  const page = readFileSync(path, "utf8");
  const fresh = withTables(page);
  if (fresh !== page) writeFileSync(path, fresh);
}

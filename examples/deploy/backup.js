import { cp, mkdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "@photostructure/sqlite";

/* node backup.js DATA TARGET: copies a data directory, also while its server runs. */

const [data, target] = process.argv.slice(2);
if (!data || !target) throw new Error("Say from where and to where: node backup.js DATA TARGET");
if (existsSync(target)) throw new Error(`${target} is there already. Name a new folder.`);
process.umask(0o077);
await mkdir(target, { recursive: true });

// The heads first: they may be behind the database that they are kept with, never ahead of it.
await cp(join(data, "audit-heads"), join(target, "audit-heads"));

// Not a plain copy: a part of what is stored stands in beckon.db-wal. This reads both, as one.
const database = new DatabaseSync(join(data, "beckon.db"), { readOnly: true });
await backup(database, join(target, "beckon.db"));
database.close();

for (const name of ["token", "hook-token", "settings.json", "plugins"]) {
  const from = join(data, name);
  if (existsSync(from)) await cp(from, join(target, name), { recursive: true });
}

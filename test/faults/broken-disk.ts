import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { World } from "../scenarios/world.ts";

/** A way for a disk to fail, and the way back. */
export interface Fault {
  name: string;
  begin: (world: World) => Promise<() => Promise<void>>;
}

const full: Fault = {
  name: "full",
  async begin({ database }) {
    // A page that SQLite has free inside the file is room too.
    database.exec("VACUUM");
    database.exec(`PRAGMA max_page_count = ${database.pragma("page_count")}`);
    return async () => database.exec("PRAGMA max_page_count = 1073741823");
  },
};

const readOnly: Fault = {
  name: "read-only",
  async begin({ database }) {
    database.exec("PRAGMA query_only = ON");
    return async () => database.exec("PRAGMA query_only = OFF");
  },
};

/** A real other process that has begun to write and does not end. */
function lockedBy(statement: "BEGIN IMMEDIATE" | "BEGIN EXCLUSIVE"): Fault {
  return {
    name: `locked by another process (${statement})`,
    async begin(world) {
      const holder = await holdDatabase(join(world.directory, "beckon.db"), statement);
      return async () => {
        const gone = once(holder, "exit");
        holder.stdin?.end();
        await gone;
      };
    },
  };
}

export const FAULTS: Fault[] = [
  full,
  readOnly,
  lockedBy("BEGIN IMMEDIATE"),
  lockedBy("BEGIN EXCLUSIVE"),
];

const HOLD = `
const { DatabaseSync } = require(process.argv[2]);
const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
database.exec(process.argv[3]);
console.log("held");
process.stdin.resume().on("end", () => process.exit());
`;

/** Resolves when another process holds the database; it lets go when its stdin ends. */
export async function holdDatabase(path: string, statement: string): Promise<ChildProcess> {
  const driver = createRequire(import.meta.url).resolve("@photostructure/sqlite");
  const child = spawn(process.execPath, ["-e", HOLD, path, driver, statement], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

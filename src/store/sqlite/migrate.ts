import type { Database } from "./database.ts";
import { type Migration, MIGRATIONS } from "./migrations/index.ts";

/** Brings a database to the version of this program; each step happens whole or not at all. */
export function migrate(database: Database): void {
  for (;;) {
    database.exec("BEGIN IMMEDIATE");
    try {
      const version = Number(database.pragma("user_version"));
      const next = nextMigration(version);
      if (next === undefined) {
        database.exec("ROLLBACK");
        return;
      }
      if (typeof next === "string") database.exec(next);
      else next(database);
      // What a migration needed once is not kept.
      database.statements.clear();
      database.exec(`PRAGMA user_version = ${version + 1}; COMMIT`);
    } catch (error) {
      database.rollback();
      throw error;
    }
  }
}

function nextMigration(version: number): Migration | undefined {
  if (version > MIGRATIONS.length) {
    throw new Error(
      `This database was written by a newer Beckon (its schema is version ${version}, this program ` +
        `knows ${MIGRATIONS.length}). Update Beckon, or open it with the version that wrote it.`,
    );
  }
  return MIGRATIONS[version];
}

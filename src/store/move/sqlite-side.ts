import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { headPath } from "../audit/head-file.ts";
import { verifyAudit } from "../sqlite/audit/verify-audit.ts";
import { holdDataDirectory } from "../sqlite/lock.ts";
import { openDatabase } from "../sqlite/open-database.ts";
import { CONTENTS, type Role, toContents } from "./contents.ts";
import { MoveRefused, type Side } from "./side.ts";
import { readSqliteRows, writeSqliteRows } from "./sqlite-rows.ts";

/** A data directory. What is written goes into a file beside the database, which is renamed at last. */
export function openSqliteSide(directory: string, role: Role): Side {
  const path = join(directory, "beckon.db");
  const draft = `${path}.moving`;
  if (role === "from" && !existsSync(path)) {
    throw new MoveRefused(`There is no data of Beckon in ${directory}.`);
  }
  const lock = holdDataDirectory(directory);
  try {
    const isNew = !existsSync(path);
    if (isNew && existsSync(headPath(path))) {
      throw new MoveRefused(
        `${directory} has an audit-heads, but no beckon.db that it belongs to. Choose another directory.`,
      );
    }
    const remove = () =>
      ["", "-wal", "-shm"].forEach((end) => rmSync(draft + end, { force: true }));
    remove();
    const database = openDatabase(isNew ? draft : path);
    database.exec("BEGIN IMMEDIATE");
    let isOpen = true;
    const commit = () => {
      if (!isOpen) return;
      database.exec("COMMIT");
      // All of it into the one file that is renamed.
      if (isNew) database.pragma("journal_mode = delete");
      database.close();
      isOpen = false;
    };
    return {
      name: directory,
      contents: async () =>
        toContents(
          CONTENTS.map((sql) =>
            database.all(sql.replace("SCHEMA.", "")).map((row) => Object.values(row)),
          ),
        ),
      read: (table) => readSqliteRows(database, table),
      write: async (table, rows) => writeSqliteRows(database, table, rows),
      async verify(found) {
        if (isNew) commit();
        return verifyAudit({ path: isNew ? draft : path }, found);
      },
      async keep() {
        commit();
        if (!isNew) return;
        syncFile(draft);
        renameSync(draft, path);
        syncFile(directory);
      },
      async close() {
        if (isOpen) {
          database.rollback();
          database.close();
        }
        remove();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function syncFile(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

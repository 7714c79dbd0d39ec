import { DatabaseSync, type StatementSyncInstance } from "@photostructure/sqlite";

type Tell = () => void;

/** What a bare server writes with, without any check. Without a path it writes nothing. */
export function openBareDatabase(path?: string) {
  const database = path === undefined ? undefined : new DatabaseSync(path);
  database?.exec("PRAGMA journal_mode = wal; PRAGMA synchronous = FULL");
  const statements = new Map<string, StatementSyncInstance>();
  let batch: { write(): void; told: Tell[] }[] = [];
  const run = (sql: string, ...values: (string | number | null)[]): void => {
    if (!database) return;
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = database.prepare(sql)));
    statement.run(...values);
  };
  /** Writes with everything else of this turn of the loop in one synced transaction, then tells. */
  const commit = (write: () => void, told: Tell[]): void => {
    if (batch.push({ write, told }) > 1) return;
    setImmediate(() => {
      const all = batch;
      batch = [];
      database?.exec("BEGIN IMMEDIATE");
      for (const one of all) one.write();
      database?.exec("COMMIT");
      for (const one of all) for (const tell of one.told) tell();
    });
  };
  return { exec: (sql: string) => database?.exec(sql), run, commit };
}

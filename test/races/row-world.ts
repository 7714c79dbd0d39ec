import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  type Commit,
  type NewEvent,
  type Store,
  StoreUnavailable,
  type Table,
  type Write,
} from "../../src/core/ports.ts";
import { openHeadKeeper } from "../../src/store/sqlite/audit/head-keeper.ts";
import { verifyAudit } from "../../src/store/sqlite/audit/verify-audit.ts";
import type { Database, SqlRow } from "../../src/store/sqlite/database.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { layoutOf } from "../../src/store/sqlite/rows.ts";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/index.ts";
import { textEvent } from "../../src/testing/store-contract/subject.ts";
import { readAll } from "./read-all.ts";
import {
  type Change,
  changeOf,
  type Operation,
  rowOf,
  SESSIONS,
  type Step,
  TABLES,
} from "./row-steps.ts";

const file = (folder: string) => join(folder, "beckon.db");

/** A store that remembers, another on a file of its own that never does, and a look at the first. */
export class RowWorld {
  readonly clock: FakeClock = createFakeClock(1_000);
  readonly #database: Database;
  readonly #looking: Database;
  readonly #other: Database;
  readonly #store: Store;
  readonly #plain: Store;
  readonly #fresh: Store;
  readonly #path: string;
  #events = 0;

  /** @param entries how many rows it remembers */
  constructor(folder: string, template: string, entries: number) {
    mkdirSync(join(folder, "plain"), { recursive: true });
    this.#path = file(folder);
    copyFileSync(template, this.#path);
    copyFileSync(template, file(join(folder, "plain")));
    this.#database = opened(this.#path);
    this.#other = opened(file(join(folder, "plain")));
    this.#looking = opened(this.#path);
    const log = undefined;
    const heads = openHeadKeeper({
      database: this.#database,
      path: this.#path,
      clock: this.clock,
      log,
    });
    this.#store = createSqliteStore(this.#database, this.clock, {
      heads,
      remembered: { entries, bytes: entries * 20_000 },
    });
    this.#plain = createSqliteStore(this.#other, this.clock, { isShared: true });
    this.#fresh = createSqliteStore(this.#looking, this.clock, { isShared: true });
  }

  /** Says whether the two stores still went the same way. */
  async take({ operations, fault, after }: Step): Promise<boolean> {
    this.clock.jump(1);
    const given = operations.map((one) => this.#prepare(one));
    const isFaulty = fault === "COMMIT" || fault === "write";
    if (fault === "foreign") this.#writeElsewhere();
    const mend = isFaulty ? this.#break(fault, after) : () => {};
    const ours = await this.#give(this.#store, given);
    mend();
    const theirs = isFaulty ? ours : await this.#give(this.#plain, given);
    await this.check();
    // What somebody went on from and the database refuses takes with it what follows from it.
    if (!isFaulty && ours.some(isUnavailable)) return false;
    expect(ours.map(simplified)).toEqual(theirs.map(simplified));
    expect(dumpOf(this.#looking)).toEqual(dumpOf(this.#other));
    return true;
  }

  /** Everything that can be read is as whoever opens the file now sees it. */
  async check(): Promise<void> {
    const [seen, there] = [await readAll(this.#store), await readAll(this.#fresh)];
    expect(seen).toEqual(there);
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#plain.close();
    await this.#fresh.close();
    const problems: string[] = [];
    verifyAudit({ path: this.#path }, ({ message }) => problems.push(message));
    // Prompts here end without an answer in the log, which the check of decisions says.
    expect(problems.filter((one) => /chain|hash|seq|head/i.test(one))).toEqual([]);
  }

  #prepare(one: Operation): (store: Store) => Promise<unknown>[] {
    if (one.kind === "claim") {
      const by = { owner: "node-1", leaseMs: 2, limit: one.limit };
      return (store) => [store.claim(by)];
    }
    if (one.kind === "renew") return (store) => [store.renew("node-1", 3)];
    const [first, next] = [this.#commitOf(one), this.#commitOf(one)];
    if (!one.isAhead) return (store) => [store.commit(first)];
    // What follows from the first is given as soon as that is decided.
    return (store) => {
      let goOn: () => void = () => {};
      const early = new Promise<void>((resolve) => (goOn = resolve));
      const stored = store.commit({ ...first, decided: () => goOn() });
      const followed = Promise.race([early, stored.catch(() => {})]).then(async () => {
        const looked = readAll(store);
        const result = await store.commit(next);
        await looked;
        return result;
      });
      return [stored, followed];
    };
  }

  #commitOf({ changes, events, fence }: Extract<Operation, { kind: "commit" }>): Commit {
    const writes = new Map<string, Write>();
    for (const one of changes) {
      const whole = rowOf(one);
      if (!this.#hasParent(one, writes)) continue;
      const version = this.#versionOf(whole);
      const ifVersion = Math.max(0, version + one.off);
      const set = ifVersion === 0 ? whole.set : changeOf(one);
      writes.set(`${whole.table} ${String(whole.id)}`, { ...whole, ifVersion, set });
    }
    const sessionId = SESSIONS[(changes[0]?.which ?? 0) % 3]!;
    const appended: NewEvent[] = Array.from({ length: events }, () =>
      textEvent(`e${++this.#events}`),
    );
    const epoch = Number(
      this.#looking.get("SELECT epoch FROM runs WHERE id = 'r1'")?.["epoch"] ?? 1,
    );
    return {
      sessionId,
      writes: [...writes.values()],
      events: appended,
      ...(fence < 2 ? { fence: { runId: "r1", epoch: epoch + fence } } : {}),
    };
  }

  /** A run is stored before its calls, and a call before its prompts. */
  #hasParent({ table, which, ...rest }: Change, writes: Map<string, Write>): boolean {
    const parents: Partial<Record<Table, Change>> = {
      tool_calls: { ...rest, table: "runs", which: which % 3 },
      interactions: { ...rest, table: "tool_calls", which },
    };
    const parent = parents[table];
    if (!parent) return true;
    const row = rowOf(parent);
    return this.#versionOf(row) > 0 || writes.has(`${row.table} ${String(row.id)}`);
  }

  #versionOf({ table, id }: Write): number {
    const key = typeof id === "string" ? [id] : id;
    const sql = `SELECT version FROM ${table} WHERE ${layoutOf(table).where}`;
    return Number(this.#looking.get(sql, ...key)?.["version"] ?? 0);
  }

  async #give(
    store: Store,
    given: ((store: Store) => Promise<unknown>[])[],
  ): Promise<PromiseSettledResult<unknown>[]> {
    return Promise.allSettled(given.flatMap((give) => give(store)));
  }

  /** As `beckon token` does beside a running server. */
  #writeElsewhere(): void {
    for (const database of [this.#looking, this.#other]) {
      database.run("UPDATE principals SET name = name || '!', version = version + 1");
      database.run("UPDATE tokens SET revoked_at = 5, version = version + 1");
    }
  }

  #break(fault: "COMMIT" | "write", after: number): () => void {
    const database = this.#database;
    const [goodRun, goodWrite] = [database.run.bind(database), database.write.bind(database)];
    let left = after;
    const fail = () => {
      throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
    };
    database.run = (sql, ...values) => (sql === "COMMIT" ? fail() : goodRun(sql, ...values));
    database.write = (sql, values) =>
      fault === "write" && left-- <= 0 ? fail() : goodWrite(sql, values);
    return () => Object.assign(database, { run: goodRun, write: goodWrite });
  }
}

function opened(path: string): Database {
  const database = openDatabase(path);
  database.exec("PRAGMA synchronous = OFF");
  return database;
}

const isUnavailable = (result: PromiseSettledResult<unknown>) =>
  result.status === "rejected" && result.reason instanceof StoreUnavailable;

/** Where several rows are in the way, any of them may be named. */
function simplified(result: PromiseSettledResult<unknown>): unknown {
  if (result.status === "fulfilled") {
    const { ok, reason } = (result.value ?? {}) as { ok?: boolean; reason?: string };
    return ok === false ? { ok, reason } : result.value;
  }
  return { rejected: (result.reason as Error).name };
}

function dumpOf(database: Database): Record<string, SqlRow[]> {
  const dumped = [...TABLES, "events"].map((table) => {
    const rows = database.all(`SELECT * FROM ${table}`);
    const texts = rows.map((row) => [JSON.stringify(row), row] as const);
    return [table, texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)] as const;
  });
  return Object.fromEntries(dumped);
}

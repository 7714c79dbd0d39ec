import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Database } from "./database.ts";
import { createGroupCommit, type Unwritten, type Writer } from "./group-commit.ts";

/** A memory of words, each of which becomes a row when its transaction ends. */
class Words implements Unwritten {
  readonly #database: Database;
  #new: string[] = [];
  isCareful = false;

  constructor(database: Database) {
    this.#database = database;
  }

  get isEmpty(): boolean {
    return this.#new.length === 0;
  }

  add(word: string): number {
    this.#new.push(word);
    return this.all().length;
  }

  all(): string[] {
    const rows = this.#database.all("SELECT word FROM words ORDER BY rowid");
    return [...rows.map((row) => String(row["word"])), ...this.#new];
  }

  write(): void {
    for (const word of this.#new) this.#database.run("INSERT INTO words VALUES (?)", word);
    this.#new = [];
  }

  committed(): void {}

  rolledBack(): void {
    this.#new = [];
  }

  undone(): void {
    this.#new = [];
  }

  setCareful(isCareful: boolean): void {
    this.isCareful = isCareful;
  }
}

describe("group commit", () => {
  let database: Database;
  let words: Words;
  let writer: Writer;
  let transactions: number;
  beforeEach(() => {
    database = new Database(":memory:", 0);
    database.exec("CREATE TABLE words (word TEXT PRIMARY KEY)");
    transactions = 0;
    const run = database.run.bind(database);
    database.run = (sql, ...values) => {
      if (sql === "COMMIT") transactions++;
      return run(sql, ...values);
    };
    words = new Words(database);
    writer = createGroupCommit(database, words, false);
  });
  afterEach(() => {
    writer.close();
    database.close();
  });

  const add = (word: string, bytes = word.length) =>
    writer.write({ bytes, run: () => words.add(word) });
  const addAhead = (word: string, decided: (count: number) => void) =>
    writer.write({ bytes: 1, run: () => words.add(word), decided });
  const stored = () =>
    database.all("SELECT word FROM words ORDER BY rowid").map((row) => row["word"]);

  test("puts what is given in one turn of the loop in one transaction, in order", async () => {
    const nested = Promise.resolve().then(() => add("c"));
    await Promise.all([add("a"), add("b"), nested]);
    expect(stored()).toEqual(["a", "b", "c"]);
    expect(transactions).toBe(1);
  });

  test("shows each the work of those before it, and the database only what is committed", async () => {
    const first = add("a");
    const second = add("b");
    expect(stored()).toEqual([]);
    expect(await second).toBe(2);
    await first;
  });

  test("undoes only the one that throws, and the one that the database refuses", async () => {
    const results = await Promise.allSettled([
      add("a"),
      writer.write({
        bytes: 0,
        run() {
          throw new Error("no");
        },
      }),
      add("a"),
      add("b"),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(results[1]).toMatchObject({ reason: { message: "no" } });
    expect(stored()).toEqual(["a", "b"]);
  });

  test("work on the database itself has a transaction around it, and undoes only itself", async () => {
    const isDirect = true;
    const half = () => {
      database.run("INSERT INTO words VALUES ('half')");
      throw new Error("no");
    };
    const results = await Promise.allSettled([
      writer.write({ bytes: 0, isDirect, run: () => words.isCareful }),
      writer.write({ bytes: 0, isDirect, run: half }),
      writer.write({ bytes: 0, isDirect, run: () => words.add("a") }),
    ]);
    expect(results).toMatchObject([{ value: true }, { status: "rejected" }, { value: 1 }]);
    expect(stored()).toEqual(["a"]);
    expect(transactions).toBe(1);
  });

  test("takes at most 500 at a time", async () => {
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => add(`${index}`)));
    expect(stored()).toHaveLength(1_001);
    expect(transactions).toBe(3);
  });

  test("takes at most a mebibyte at a time, and a larger one alone", async () => {
    const mebibyte = 1024 * 1024;
    await Promise.all([add("a", mebibyte / 2), add("b", mebibyte / 2), add("c", 1)]);
    expect(transactions).toBe(2);
    await Promise.all([add("d", 3 * mebibyte), add("e", 1)]);
    expect(transactions).toBe(4);
  });

  test("finishes its queue when it closes, and takes no more", async () => {
    const given = Array.from({ length: 501 }, (_, index) => add(`${index}`));
    writer.close();
    expect(stored()).toHaveLength(501);
    await Promise.all(given);
    await expect(add("late")).rejects.toThrow("closed");
  });

  test("what follows at once from a piece of work shares its transaction", async () => {
    const decided = new Promise<void>((resolve) => void addAhead("a", () => resolve()));
    await decided;
    expect(words.all(), "seen by what follows").toEqual(["a"]);
    expect(transactions, "not on disk").toBe(0);
    for (let step = 0; step < 50; step++) await Promise.resolve();
    await add("b");
    expect(transactions).toBe(1);
    expect(stored()).toEqual(["a", "b"]);
  });

  test("no transaction is open while somebody goes on from what is decided", async () => {
    const began: boolean[] = [];
    const run = database.run.bind(database);
    let isOpen = false;
    database.run = (sql, ...values) => {
      if (sql.startsWith("BEGIN")) isOpen = true;
      if (sql === "COMMIT") isOpen = false;
      return run(sql, ...values);
    };
    await addAhead("a", () => {
      began.push(isOpen);
      queueMicrotask(() => began.push(isOpen));
    });
    expect(began).toEqual([false, false]);
    expect(stored()).toEqual(["a"]);
  });

  test("what was decided is on disk before the loop turns, whoever goes on from it", async () => {
    const turned = new Promise((resolve) => {
      void addAhead("a", () => setImmediate(() => resolve(transactions)));
    });
    expect(await turned).toBe(1);
  });

  test("who waits until all is settled sees it in the database", async () => {
    let seen: unknown[] = [];
    await addAhead("a", () => {
      void writer.settled().then(() => (seen = stored()));
    });
    await writer.settled();
    expect(seen).toEqual(["a"]);
  });

  test("what went on from a transaction that fails fails with it", async () => {
    const run = database.run.bind(database);
    database.run = (sql, ...values) => {
      if (sql === "COMMIT") throw new Error("disk I/O error");
      return run(sql, ...values);
    };
    let second: Promise<unknown> = Promise.resolve();
    const first = addAhead("a", () => {
      second = add("b");
      second.catch(() => {});
    });
    await expect(first).rejects.toThrow("disk I/O error");
    await expect(second).rejects.toThrow("disk I/O error");
    database.run = run;
    expect(stored()).toEqual([]);
    expect(words.all()).toEqual([]);
  });

  test("closing in the middle of a transaction puts on disk what was decided", async () => {
    await new Promise<void>((resolve) => void addAhead("a", () => resolve()));
    writer.close();
    expect(transactions).toBe(1);
    expect(stored()).toEqual(["a"]);
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Database } from "./database.ts";
import { createGroupCommit, Undo, type Writer } from "./group-commit.ts";

describe("group commit", () => {
  let database: Database;
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
    writer = createGroupCommit(database);
  });
  afterEach(() => {
    writer.close();
    database.close();
  });

  const add = (word: string, bytes = word.length) =>
    writer.write(bytes, () => database.run("INSERT INTO words VALUES (?)", word));
  const words = () =>
    database.all("SELECT word FROM words ORDER BY rowid").map((row) => row["word"]);
  const count = () => Number(database.get("SELECT count(*) AS count FROM words")?.["count"]);

  test("puts what is given in one turn of the loop in one transaction, in order", async () => {
    const nested = Promise.resolve().then(() => add("c"));
    await Promise.all([add("a"), add("b"), nested]);
    expect(words()).toEqual(["a", "b", "c"]);
    expect(transactions).toBe(1);
  });

  test("shows each the work of those before it, and a reader only what is committed", async () => {
    const first = add("a");
    const second = writer.write(0, count);
    expect(count()).toBe(0);
    expect(await second).toBe(1);
    await first;
  });

  test("undoes only the one that throws", async () => {
    const results = await Promise.allSettled([
      add("a"),
      writer.write(0, () => {
        database.run("INSERT INTO words VALUES ('half')");
        throw new Error("no");
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
    expect(words()).toEqual(["a", "b"]);
    expect(transactions).toBe(1);
  });

  test("takes at most 500 at a time", async () => {
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => add(`${index}`)));
    expect(count()).toBe(1_001);
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
    expect(count()).toBe(501);
    await Promise.all(given);
    await expect(add("late")).rejects.toThrow("closed");
  });

  test("what follows at once from a piece of work shares its transaction", async () => {
    const decided = new Promise<void>((resolve) => {
      void writer.write(
        1,
        () => database.run("INSERT INTO words VALUES ('a')"),
        () => resolve(),
      );
    });
    await decided;
    expect(count(), "seen by what follows").toBe(1);
    expect(transactions, "not on disk").toBe(0);
    for (let step = 0; step < 50; step++) await Promise.resolve();
    await add("b");
    expect(transactions).toBe(1);
    expect(words()).toEqual(["a", "b"]);
  });

  test("what takes itself back leaves nothing, and its result is heard as early as any", async () => {
    const heard: unknown[] = [];
    const taken = writer.write(
      1,
      () => {
        database.run("INSERT INTO words VALUES ('half')");
        throw new Undo("refused");
      },
      (result) => heard.push(result, count()),
    );
    await add("a");
    expect(heard).toEqual(["refused", 1]);
    expect(await taken).toBe("refused");
    expect(words()).toEqual(["a"]);
    expect(transactions).toBe(1);
  });

  test("a transaction is on disk before the loop turns, whoever goes on from it", async () => {
    const turned = new Promise((resolve) => {
      void writer.write(
        1,
        () => database.run("INSERT INTO words VALUES ('a')"),
        () => setImmediate(() => resolve(transactions)),
      );
    });
    expect(await turned).toBe(1);
  });

  test("what went on from a transaction that fails fails with it", async () => {
    const run = database.run.bind(database);
    database.run = (sql, ...values) => {
      if (sql === "COMMIT") throw new Error("disk I/O error");
      return run(sql, ...values);
    };
    let second: Promise<unknown> = Promise.resolve();
    const first = writer.write(
      1,
      () => database.run("INSERT INTO words VALUES ('a')"),
      () => {
        second = add("b");
        second.catch(() => {});
      },
    );
    await expect(first).rejects.toThrow("disk I/O error");
    await expect(second).rejects.toThrow("disk I/O error");
    database.run = run;
    expect(words()).toEqual([]);
  });

  test("closing in the middle of a transaction puts on disk what was decided", async () => {
    await new Promise<void>((resolve) => {
      void writer.write(
        1,
        () => database.run("INSERT INTO words VALUES ('a')"),
        () => resolve(),
      );
    });
    writer.close();
    expect(transactions).toBe(1);
  });
});

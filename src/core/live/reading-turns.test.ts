import { expect, test } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { ReadingTurns } from "./reading-turns.ts";

/** A clock whose turns the test ends one by one. */
function startTurns(bytesPerTurn = 100) {
  const ends: (() => void)[] = [];
  const turns = new ReadingTurns(
    { turn: () => new Promise((resolve) => void ends.push(resolve)) },
    bytesPerTurn,
  );
  const read: string[] = [];
  const piece =
    (name: string, bytes = 100) =>
    async () => {
      read.push(name);
      return { value: name, bytes };
    };
  const settle = () => createFakeClock().settle();
  const endTurn = async () => {
    await settle();
    ends.shift()?.();
    await settle();
  };
  return { turns, read, piece, settle, endTurn };
}

test("one turn of the loop reads no more than its share, and the next goes on", async () => {
  const { turns, read, piece, settle, endTurn } = startTurns();
  const given = ["a1", "a2", "a3"].map((name) => turns.read("a", piece(name)));
  await settle();
  expect(read).toEqual(["a1"]);
  await endTurn();
  expect(read).toEqual(["a1", "a2"]);
  await endTurn();
  expect(await Promise.all(given)).toEqual(["a1", "a2", "a3"]);
});

test("small pieces share a turn", async () => {
  const { turns, read, piece, settle } = startTurns();
  for (const name of ["a", "b", "c", "d"]) void turns.read(name, piece(name, 40));
  await settle();
  expect(read).toEqual(["a", "b", "c"]);
});

test("who asks again in the same turn waits for the next", async () => {
  const { turns, read, piece, settle, endTurn } = startTurns();
  await turns.read("a", piece("a1"));
  void turns.read("a", piece("a2"));
  await settle();
  expect(read).toEqual(["a1"]);
  await endTurn();
  expect(read).toEqual(["a1", "a2"]);
});

test("callers come round in order, however much each of them wants", async () => {
  const { turns, read, piece, endTurn } = startTurns();
  for (const name of ["m1", "m2", "m3", "m4"]) void turns.read("machine", piece(name));
  for (const name of ["p1", "p2"]) void turns.read("person", piece(name));
  for (let turn = 0; turn < 6; turn++) await endTurn();
  // The first is read at once, before anybody else has come.
  expect(read).toEqual(["m1", "m2", "p1", "m3", "p2", "m4"]);
});

test("a piece that fails is its caller's alone", async () => {
  const { turns, piece, endTurn } = startTurns();
  const failed = turns.read("a", () => Promise.reject(new Error("no")));
  const read = turns.read("b", piece("b"));
  await expect(failed).rejects.toThrow("no");
  await endTurn();
  expect(await read).toBe("b");
});

test("a piece that the store does not answer holds nobody else up", async () => {
  const { turns, piece, endTurn } = startTurns();
  void turns.read("a", () => new Promise<never>(() => {}));
  const read = turns.read("b", piece("b"));
  await endTurn();
  expect(await read).toBe("b");
});

import { expect, test } from "vitest";
import { emptyView, type TurnView } from "../../src/client/index.ts";
import { toRows } from "./rows.ts";

const rowsOf = (turn: Partial<TurnView>) =>
  toRows({ ...emptyView("s1"), turns: [{ id: "t1", kind: "turn", blocks: [], ...turn }] });

test("a turn that has ended says what it used; one that tells nothing has no line", () => {
  const usage = { input: 1_200, output: 30 };
  expect(rowsOf({ end: "completed", model: "m-1", usage })).toMatchObject([
    { kind: "end", end: "completed", usage: "m-1 · 1,200 tokens in, 30 out" },
  ]);
  expect(rowsOf({ end: "completed" })).toEqual([]);
  expect(rowsOf({ end: "failed" })).toMatchObject([{ kind: "end", usage: "" }]);
  expect(rowsOf({ model: "m-1", usage })).toEqual([]);
});

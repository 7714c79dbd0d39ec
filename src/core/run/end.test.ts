import { describe, expect, test } from "vitest";
import { call, run } from "../../testing/store-contract/rows.ts";
import { interaction } from "../../testing/store-contract/interaction-rows.ts";
import type { InteractionRow, RunRow, Store } from "../ports.ts";
import { CANCELLED, endCallChange, endRunWrite, INTERRUPTED } from "./end.ts";

const NOW = 1_000;

function endWith(
  how: Parameters<typeof endCallChange>[2],
  rows: InteractionRow[],
  runs: RunRow[] = [],
) {
  const store = {
    activeRuns: async () => runs,
    interactionsOfCall: async () => rows,
    calls: async (runId: string) => [call(`call-of-${runId}`, { runId })],
  } as Partial<Store> as Store;
  return endCallChange({ store }, call("c1", { runId: "r1" }), how);
}

const setOf = (
  { writes }: { writes: { table: string; id: unknown; set: unknown }[] },
  id: string,
) => writes.find((write) => String(write.id).endsWith(id))?.set;

describe("a run that ends", () => {
  test("belongs to nobody, and its epoch grows: whoever executes it stores nothing more", () => {
    const live = run("r1", { status: "live", owner: "node", leaseUntil: 5, epoch: 4, version: 7 });
    expect(endRunWrite(live, NOW)).toEqual({
      table: "runs",
      id: "r1",
      ifVersion: 7,
      set: { status: "ended", endedAt: NOW, epoch: 5, owner: null, leaseUntil: null },
    });
  });
});

describe("a call that ends", () => {
  const interrupted = { end: INTERRUPTED.callEnd, leftovers: INTERRUPTED.leftovers, now: NOW };

  test("closes the prompts that are open, and tells its result after that", async () => {
    const how = { end: CANCELLED.callEnd, leftovers: CANCELLED.leftovers, now: NOW };
    const ending = await endWith(how, [
      interaction("i1"),
      interaction("i2", { status: "answered" }),
    ]);
    expect(ending.interactions.map(({ id, status }) => [id, status])).toEqual([
      ["i1", "cancelled"],
    ]);
    expect(ending.events.map(({ type }) => type)).toEqual([
      "interaction_closed",
      "interaction_pending",
      "tool_result",
    ]);
    expect(setOf(ending, "c1")).toMatchObject({ status: "ended", ok: false, endedAt: NOW });
  });

  test("leaves them open for a late answer when it was interrupted, and says so after its result", async () => {
    const ending = await endWith(interrupted, [interaction("i1")]);
    expect(ending.interactions).toMatchObject([{ id: "i1", status: "open", link: "orphaned" }]);
    expect(ending.events.map(({ type }) => type)).toEqual(["tool_result", "interaction_pending"]);
  });

  test("gives an answer that no hook has heard to whoever makes a message of it", async () => {
    const answered = interaction("i1", { status: "answered" });
    expect((await endWith(interrupted, [answered])).unheard).toEqual([answered]);
  });

  test("leaves alone the prompt that the same commit has dealt with", async () => {
    const rows = [interaction("i1"), interaction("i2")];
    const ending = await endWith({ ...interrupted, except: "i1" }, rows);
    expect(ending.interactions.map(({ id }) => id)).toEqual(["i2"]);
  });

  test("ends what others do in its place, and nothing else", async () => {
    const runs = [
      run("operation", { state: { v: 1, anchor: "c1" } }),
      run("elsewhere", { state: { v: 1, anchor: "c2" } }),
    ];
    const ending = await endWith(interrupted, [], runs);
    expect(ending.ended).toEqual(["operation"]);
    expect(setOf(ending, "operation")).toMatchObject({ status: "ended" });
    expect(setOf(ending, "call-of-operation")).toMatchObject({ status: "ended", ok: false });
    expect(setOf(ending, "elsewhere")).toBe(undefined);
  });
});

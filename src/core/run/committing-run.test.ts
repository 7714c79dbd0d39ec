import { expect, test } from "vitest";
import { run as runRow, session } from "../../testing/store-contract/rows.ts";
import type { CommitResult, Write } from "../ports.ts";
import type { Change } from "../writer.ts";
import { CommittingRun, type CommitPorts } from "./committing-run.ts";

class Run extends CommittingRun {
  fail(): void {}
  refresh(): void {}
  lose(): void {}
  protected applyOwn(_writes: Write[]): void {}
}

/** Nothing here waits for more than promises. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await Promise.resolve();
}

/** A run whose commits are decided at once, and on disk when the test says so. */
function open() {
  const syncs: (() => void)[] = [];
  const changes: Change[] = [];
  const ok: CommitResult = { ok: true, lastSeq: 1 };
  const commitAhead = (change: Change) => {
    changes.push(change);
    return {
      decided: Promise.resolve(ok),
      stored: new Promise<CommitResult>((resolve) => syncs.push(() => resolve(ok))),
    };
  };
  const ports = {
    clock: { turn: () => Promise.resolve(), now: () => 1 },
    options: {},
    store: {},
    writer: { commitAhead },
  } as unknown as CommitPorts;
  return { run: new Run(ports, runRow("r1"), session("s1")), syncs, changes };
}

test("what is deferred counts as on its way to the disk also while its change is being made", async () => {
  const { run, syncs } = open();
  let make = (_change: Change) => {};
  const change = new Promise<Change>((resolve) => (make = resolve));
  await run.defer(() => change);
  // The commit has taken what was deferred, and waits for the change.
  await settled();
  let isOnDisk = false;
  const onDisk = run.onDisk().then(() => (isOnDisk = true));
  await settled();
  expect(isOnDisk).toBe(false);
  make({ sessionId: "s1", writes: [], events: [] });
  await settled();
  expect([syncs.length, isOnDisk]).toEqual([1, false]);
  syncs[0]?.();
  await onDisk;
});

test("a change during whose making the run's row was read anew is made again, all of it", async () => {
  const { run, syncs, changes } = open();
  const touched = () => ({
    sessionId: "s1",
    writes: [{ table: "runs", id: "r1", ifVersion: run.row.version, set: {} } as const],
    events: [],
  });
  let tries = 0;
  void run.defer(touched);
  const stored = run.commit(async () => {
    if (tries++ === 0) run.row = { ...run.row, version: run.row.version + 2 };
    return touched();
  });
  await settled();
  expect(changes.map(({ writes }) => writes.map(({ ifVersion }) => ifVersion))).toEqual([
    [run.row.version],
  ]);
  syncs[0]?.();
  await stored;
});

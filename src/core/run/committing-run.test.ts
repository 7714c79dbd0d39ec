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
  const ok: CommitResult = { ok: true, lastSeq: 1 };
  const commitAhead = () => ({
    decided: Promise.resolve(ok),
    stored: new Promise<CommitResult>((resolve) => syncs.push(() => resolve(ok))),
  });
  const ports = {
    clock: { turn: () => Promise.resolve(), now: () => 1 },
    options: {},
    store: {},
    writer: { commitAhead },
  } as unknown as CommitPorts;
  return { run: new Run(ports, runRow("r1"), session("s1")), syncs };
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

import type { CoreOptions } from "../api.ts";
import type { Clock, RunRow, Write } from "../ports.ts";
import type { Change } from "../writer.ts";

/** How long a process owns a run that it does not renew. */
export const LEASE_MS = 15_000;
export const HEARTBEAT_MS = 5_000;
/**
 * How often it is looked for runs of other nodes whose lease has lapsed. After a lease and this
 * there are three seconds left of the twenty that are promised.
 */
export const TAKEOVER_MS = 2_000;
export const MAX_ATTEMPTS = 3;
/** How often a run may be entered without coming to rest, whatever it records on the way. */
export const MAX_LIVES = 8;

/** What a claim names: the process that takes the run, and until when. */
export interface LeasePorts {
  clock: Clock;
  options: Pick<CoreOptions, "owner">;
}

/** Makes a queued or suspended run ours. */
export function claimWrite(ports: LeasePorts, row: RunRow): Extract<Write, { table: "runs" }> {
  return {
    table: "runs",
    id: row.id,
    ifVersion: row.version,
    set: {
      status: "live",
      owner: ports.options.owner,
      epoch: row.epoch + 1,
      leaseUntil: ports.clock.now() + LEASE_MS,
      attempt: 1,
      lives: row.lives + 1,
    },
  };
}

/** Makes a queued or suspended run one that goes on, and nobody's. */
export function freeWrite(
  { clock }: Pick<LeasePorts, "clock">,
  row: RunRow,
): Extract<Write, { table: "runs" }> {
  // The lease lapses now, and not long ago: those who can go on with it have the first chance.
  const set = { status: "live", owner: null, leaseUntil: clock.now(), attempt: 0 } as const;
  return { table: "runs", id: row.id, ifVersion: row.version, set };
}

/** Gives the run's row another version: whoever is about to write it has to look again first. */
export function touchRun(row: RunRow): Extract<Write, { table: "runs" }> {
  return { table: "runs", id: row.id, ifVersion: row.version, set: {} };
}

/**
 * A run that gets further is not one that brings servers down: its tries are counted anew. And one
 * that ends is not run again: what it has just written down for that is left out.
 */
export function withProgress(run: RunRow, { writes, events }: Change): Write[] {
  const { id, status, attempt, version } = run;
  const own = writes.find((write) => write.table === "runs" && write.id === id);
  if (own?.table === "runs" && own.set.status === "ended") {
    return writes.filter((write) => write.table !== "journal" || write.id[0] !== id);
  }
  const recorded = events.length > 0 || writes.some((write) => write !== own);
  if (status !== "live" || attempt <= 1 || !recorded) return writes;
  if (!own) return [...writes, { table: "runs", id, ifVersion: version, set: { attempt: 1 } }];
  const counted = { ...own, set: { attempt: 1, ...own.set } } as Write;
  return writes.map((write) => (write === own ? counted : write));
}

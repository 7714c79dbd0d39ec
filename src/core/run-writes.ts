import { type Env, LEASE_MS } from "./env.ts";
import type { RunRow, Write } from "./ports.ts";

/** Makes a suspended run ours. */
export function claimWrite(env: Env, row: RunRow): Extract<Write, { table: "runs" }> {
  return {
    table: "runs",
    id: row.id,
    ifVersion: row.version,
    set: {
      status: "live",
      owner: env.options.owner,
      host: env.options.host,
      epoch: row.epoch + 1,
      leaseUntil: env.clock.now() + LEASE_MS,
      attempt: 1,
    },
  };
}

/** Something happened that the owner must see before it may fall asleep. */
export function wakeWrite(row: RunRow): Extract<Write, { table: "runs" }> {
  return { table: "runs", id: row.id, ifVersion: row.version, set: { wakes: row.wakes + 1 } };
}

import { shownIn } from "./anchored.ts";
import type { LiveCall } from "./live-call.ts";
import type { InteractionRow } from "../ports.ts";

/*
 * `ctx.now()` is the time of the last step, answer or start of the call that is stored: it needs no
 * write of its own, and a call that is run again finds the same time. The handler, each hook and
 * each step have a clock of their own, so that pieces side by side do not move each other's.
 */

/** The time in the piece of the call that is named `path`. */
export function timeAt(call: LiveCall, path: string): number {
  return call.times?.get(path) ?? startOf(call);
}

/** Something with this time was stored, and the piece named `path` goes on from it. */
export function passTime(call: LiveCall, path: string, at: number): void {
  setTime(call, path, Math.max(timeAt(call, path), at));
}

export function setTime(call: LiveCall, path: string, at: number): void {
  call.times ??= new Map();
  call.times.set(path, at);
}

/** When a prompt was over, with everything that its hooks did and asked. */
export function endOf(call: LiveCall, row: InteractionRow): number {
  const isInside = (key: string) => key.startsWith(`${row.id}|`) || key.startsWith(`${row.id}/`);
  const steps = [...(call.stepTimes ?? [])].flatMap(([key, at]) => (isInside(key) ? [at] : []));
  const prompts = [...call.prompts.values()].filter(({ key }) => isInside(key));
  return Math.max(...[row, ...prompts].map(answeredAt), ...steps);
}

/** When a prompt was answered, or its time was up. */
export function answeredAt(row: InteractionRow): number {
  return row.endedAt ?? row.expiresAt ?? 0;
}

/** The handler starts when its call does, or when a person has let it. */
function startOf({ row, prompts }: LiveCall): number {
  const approvals = [...prompts.values()].filter(
    ({ key, callId, endedAt }) => key.startsWith("gate|") && callId === shownIn(row) && endedAt,
  );
  return Math.max(row.createdAt, ...approvals.map(answeredAt));
}

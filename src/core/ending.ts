import type { CallEnd } from "./agent.ts";
import { hasSecret } from "./check-request.ts";
import type { Env } from "./env.ts";
import { close, detach, type EventDraft, isOpen, type Step, strand } from "./interaction.ts";
import type { CallRow, InteractionRow, Write } from "./ports.ts";

/** What becomes of prompts that are still open when their call ends. */
export type Leftovers = "failed" | "cancelled" | "orphaned";

export interface Ending {
  writes: Write[];
  events: EventDraft[];
  interactions: InteractionRow[];
  /** Answers that were accepted and that no hook has dealt with: they become messages. */
  unheard: InteractionRow[];
  /** Runs of programs outside whose prompt was shown in the call, and closed with it. */
  borrowers: string[];
}

const NOT_THERE = "The tool call in which this was asked has ended.";
const LEFT_OPEN = "The tool call ended without waiting for this answer.";

/** Ends a call: closes its prompts, gives its result, then says which prompts outlive it. */
export function endCall(
  call: CallRow,
  prompts: InteractionRow[],
  end: CallEnd,
  leftovers: Leftovers,
  now: number,
): Ending {
  const closed: Step[] = [];
  const detached: Step[] = [];
  const borrowers: string[] = [];
  for (const row of prompts.filter((one) => isOpen(one) && one.link === "live")) {
    if (row.runId !== call.runId) {
      closed.push(close(row, "cancelled", now, NOT_THERE));
      borrowers.push(row.runId);
    } else if (leftovers !== "orphaned") {
      closed.push(
        close(row, leftovers, now, leftovers === "cancelled" && end.ok ? LEFT_OPEN : undefined),
      );
    } else if (row.expiresAt !== null && row.expiresAt <= now) {
      closed.push(close(row, "timed_out", now));
    } else if (hasSecret(row.request.inputSchema)) {
      closed.push(
        close(row, "cancelled", now, "The run that asked is gone; a secret cannot wait for it."),
      );
    } else {
      detached.push(detach(row, "orphaned"));
    }
  }
  // What a program outside asked it finds in the record: that starts no turn.
  const own = prompts.filter((row) => row.runId === call.runId);
  const unheard = leftovers === "orphaned" ? own.filter(isUnheard) : [];
  const stranded = unheard.filter((row) => !hasSecret(row.request.inputSchema)).map(strand);
  const steps = [...closed, ...detached, ...stranded];
  return {
    writes: [...steps.map((step) => step.write), callWrite(call, end, now)],
    events: [
      ...closed.flatMap((step) => step.events),
      resultEvent(call, end),
      ...detached.flatMap((step) => step.events),
    ],
    interactions: steps.map((step) => step.row),
    unheard,
    borrowers,
  };
}

function isUnheard(row: InteractionRow): boolean {
  return row.status === "answered" && !row.outcome && row.link === "live";
}

function callWrite(call: CallRow, end: CallEnd, now: number): Write {
  return {
    table: "tool_calls",
    id: [call.sessionId, call.id],
    ifVersion: call.version,
    set: {
      status: "ended",
      ok: end.ok,
      result: end.ok ? { value: end.result } : null,
      error: end.ok ? null : end.error,
      endedAt: now,
    },
  };
}

function resultEvent(call: CallRow, end: CallEnd): EventDraft {
  return {
    type: "tool_result",
    callId: call.id,
    ...(call.turnId === null ? {} : { turnId: call.turnId }),
    ...(call.responseId === null ? {} : { responseId: call.responseId }),
    payload: {
      toolCallId: call.id,
      toolName: call.tool,
      ok: end.ok,
      ...(end.ok ? { result: end.result } : { error: end.error }),
      ...(call.authorizedBy === null ? {} : { authorizedBy: call.authorizedBy }),
    },
  };
}

/** Ends the runs of prompts that were closed with a call that was not theirs. */
export async function endBorrowers(env: Env, runIds: string[]): Promise<Write[]> {
  const runs = await Promise.all(runIds.map((id) => env.store.run(id)));
  return runs.flatMap((run) =>
    run && run.status !== "ended"
      ? [
          {
            table: "runs" as const,
            id: run.id,
            ifVersion: run.version,
            set: {
              status: "ended" as const,
              endStatus: "cancelled" as const,
              endedAt: env.clock.now(),
              epoch: run.epoch + 1,
              owner: null,
              leaseUntil: null,
            },
          },
        ]
      : [],
  );
}

/** The end that a call has in the store. */
export function storedEnd(call: CallRow): CallEnd {
  if (call.ok) return { ok: true, result: call.result?.value };
  return { ok: false, error: call.error ?? { code: "tool_error", message: "The call failed." } };
}

import type { CallEnd } from "./agent.ts";
import { hasSecret } from "./check-request.ts";
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
}

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
  for (const row of prompts.filter((one) => isOpen(one) && one.link === "live")) {
    if (leftovers !== "orphaned") {
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
  const unheard = leftovers === "orphaned" ? prompts.filter(isUnheard) : [];
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

/** The end that a call has in the store. */
export function storedEnd(call: CallRow): CallEnd {
  if (call.ok) return { ok: true, result: call.result?.value };
  return { ok: false, error: call.error ?? { code: "tool_error", message: "The call failed." } };
}

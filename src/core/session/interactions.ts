import type { InteractionRecord } from "../../protocol/index.ts";
import { isOpen } from "../interaction.ts";
import type { InteractionRow, Who } from "../ports.ts";
import { readList, type ListPorts } from "../live/read-list.ts";
import { toInteractionRecord } from "./records.ts";
import { findSession, mayRead, readableBy } from "./sessions.ts";
import { waitFor, interactionKey, type Signals } from "../live/signals.ts";
import { isAskState } from "../run/run-row.ts";
import { interactionNotFound } from "../prompt/refusals.ts";
import type { CorePorts } from "../api.ts";

interface InteractionPorts extends ListPorts, Pick<CorePorts, "clock" | "store"> {
  signals: Signals;
}

/** One interaction with all of its tool's input; with `wait`, when it is no longer open. */
export async function findInteraction(
  ports: InteractionPorts,
  who: Who,
  id: string,
  wait?: { waitMs: number; signal?: AbortSignal },
): Promise<InteractionRecord> {
  let row = await readable(ports, who, id);
  if (wait && isOpen(row))
    row = (await ended(ports, row, wait)) ?? (await readable(ports, who, id));
  return withInput(ports, row);
}

export async function listInteractions(
  ports: InteractionPorts,
  who: Who,
  query: { sessionId?: string; cursor?: string; limit: number },
): Promise<{ interactions: InteractionRecord[]; next?: string }> {
  if (query.sessionId !== undefined) await findSession(ports, who, query.sessionId);
  const wanted = { ...query, ...readableBy(who) };
  const page = await readList(ports, who, wanted, (one) => ports.store.openInteractions(one));
  return {
    interactions: page.rows.map(toInteractionRecord),
    ...(page.next ? { next: page.next } : {}),
  };
}

async function readable(ports: InteractionPorts, who: Who, id: string): Promise<InteractionRow> {
  const row = await ports.store.interaction(id);
  const session = row ? await ports.store.session(row.sessionId) : null;
  if (!row || !session || session.deletedAt !== null || !mayRead(who, session)) {
    throw interactionNotFound();
  }
  return row;
}

async function ended(
  ports: InteractionPorts,
  row: InteractionRow,
  wait: { waitMs: number; signal?: AbortSignal },
): Promise<InteractionRow | undefined> {
  const patience = new AbortController();
  const giveUp = () => patience.abort();
  const stop = ports.clock.timer(wait.waitMs, giveUp);
  wait.signal?.addEventListener("abort", giveUp, { once: true });
  const look = async () => {
    const now = await ports.store.interaction(row.id);
    return now && !isOpen(now) ? now : undefined;
  };
  try {
    return await waitFor(ports.signals, interactionKey(row.id), look, patience.signal);
  } finally {
    stop();
    wait.signal?.removeEventListener("abort", giveUp);
  }
}

async function withInput(ports: InteractionPorts, row: InteractionRow): Promise<InteractionRecord> {
  const record = toInteractionRecord(row);
  if (row.request.toolInputBytes === undefined) return record;
  const toolInput = await inputOf(ports, row);
  return { ...record, request: { ...record.request, toolInput } };
}

/** What is to be approved, which is not the input of the call in whose place a program asked. */
async function inputOf(ports: InteractionPorts, row: InteractionRow): Promise<unknown> {
  const run = row.request.anchored ? await ports.store.run(row.runId) : null;
  if (run && isAskState(run.state) && run.state.toolInput !== undefined) return run.state.toolInput;
  const [own] = run ? await ports.store.calls(run.id) : [];
  const call = own ?? (await ports.store.call(row.sessionId, row.callId));
  return call?.effectiveInput ?? call?.input;
}

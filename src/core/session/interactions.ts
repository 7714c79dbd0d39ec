import type { InteractionRecord } from "../../protocol/index.ts";
import { isOpen } from "../interaction.ts";
import type { InteractionRow, Who } from "../ports.ts";
import { readList, type ListPorts } from "../live/read-list.ts";
import { keptChanges } from "../prompt/shown-changes.ts";
import { toInteractionRecord } from "./records.ts";
import { findPrompt, findSession, readableBy } from "./sessions.ts";
import { waitAtMost, interactionKey, type Signals } from "../live/signals.ts";
import type { Departure } from "../run/departure.ts";
import { isAskState } from "../run/run-row.ts";
import type { CorePorts } from "../api.ts";

interface InteractionPorts extends ListPorts, Pick<CorePorts, "clock" | "store"> {
  signals: Signals;
}

/** One interaction with all of its tool's input and changes; with `wait`, when it is no longer open. */
export async function findInteraction(
  ports: InteractionPorts,
  who: Who,
  id: string,
  wait?: { waitMs: number; gone?: Departure },
): Promise<InteractionRecord> {
  const { row } = await findPrompt(ports, who, id);
  if (!wait || !isOpen(row)) return withInput(ports, who, row);
  const look = async () => {
    const now = await ports.store.interaction(id);
    return now && !isOpen(now) ? now : undefined;
  };
  const ended = await waitAtMost(ports, wait, interactionKey(id), look);
  return withInput(ports, who, ended ?? (await findPrompt(ports, who, id)).row);
}

export async function listInteractions(
  ports: InteractionPorts,
  who: Who,
  { begins, ...query }: { sessionId?: string; begins?: string; cursor?: string; limit: number },
): Promise<{ interactions: InteractionRecord[]; next?: string }> {
  if (query.sessionId !== undefined) await findSession(ports, who, query.sessionId);
  const wanted = { ...query, ...readableBy(who) };
  const page = await readList(ports, who, wanted, (one) =>
    begins === undefined
      ? ports.store.openInteractions(one)
      : ports.store.interactionsBeginning({ ...one, begins }),
  );
  return {
    interactions: page.rows.map(toInteractionRecord),
    ...(page.next ? { next: page.next } : {}),
  };
}

/** A large input may have some megabytes, so it is read when it is the caller's turn. */
async function withInput(
  ports: InteractionPorts,
  { principalId }: Who,
  row: InteractionRow,
): Promise<InteractionRecord> {
  const record = toInteractionRecord(row);
  const { toolInputBytes, changesBytes } = row.request;
  if (toolInputBytes === undefined && changesBytes === undefined) return record;
  const large = await ports.reading.read(principalId, async () => ({
    value: {
      ...(toolInputBytes !== undefined && { toolInput: await inputOf(ports, row) }),
      ...(changesBytes !== undefined && { changes: await keptChanges(ports, row) }),
    },
    bytes: (toolInputBytes ?? 0) + (changesBytes ?? 0),
  }));
  return { ...record, request: { ...record.request, ...large } };
}

/** What is to be approved, which is not the input of the call in whose place a program asked. */
async function inputOf(ports: InteractionPorts, row: InteractionRow): Promise<unknown> {
  const run = row.request.anchored ? await ports.store.run(row.runId) : null;
  if (run && isAskState(run.state) && run.state.toolInput !== undefined) return run.state.toolInput;
  const [own] = run ? await ports.store.calls(run.id) : [];
  const call = own ?? (await ports.store.call(row.sessionId, row.callId));
  return call?.effectiveInput ?? call?.input;
}

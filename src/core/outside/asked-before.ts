import { type InteractionRecord, ProtocolError } from "../../protocol/index.ts";
import type { AskedUse, CorePorts } from "../api.ts";
import { noteWrite } from "../call/journal.ts";
import type { JournalRow, Who, Write } from "../ports.ts";
import { toInteractionRecord } from "../session/records.ts";
import { LOST_RACE } from "../writer.ts";
import { asksOf, isUnheard } from "./heard.ts";

/*
 * What a credential has asked, by the ids under which it asked: noted with each prompt, so that who
 * comes back finds it.
 */

type Ports = Pick<CorePorts, "store" | "clock">;
type Asked = { interaction: InteractionRecord; isNew: boolean };

export const promptIn = ({ value }: JournalRow) =>
  (value as { interactionId: string }).interactionId;

/**
 * What the request id asked before, if it still stands for that; and the version of its note. It does
 * with the same body; with `untilHeard` until the answer has reached whoever asked.
 */
export async function findBefore(
  ports: Ports,
  who: Who,
  { requestId, untilHeard = false }: { requestId?: string; untilHeard?: boolean },
  digest: string,
): Promise<{ asked?: Asked; version: number }> {
  const entry =
    requestId === undefined ? null : await ports.store.journalEntry(asksOf(who), requestId);
  if (!entry) return { version: 0 };
  const { version } = entry;
  const row = await ports.store.interaction(promptIn(entry));
  if (untilHeard && row && !(await isUnheard(ports, who, row))) return { version };
  if (entry.digest !== digest) {
    throw new ProtocolError(
      "request_changed",
      "This requestId was used to ask something else. Give every question its own id.",
    );
  }
  if (!row) return { version };
  return { asked: { interaction: toInteractionRecord(row), isNew: false }, version };
}

/** How two who ask about the same use of a tool find each other. No request id has a slash. */
const useKey = (use: string) => `use/${use}`;

/** How long after its end a prompt is that of a program which was slow to ask as well. */
const SLOW_MS = 60_000;

interface Asking {
  requestId: string | undefined;
  /** Of the note under that id. */
  version: number;
  use: AskedUse | undefined;
  digest: string;
}

interface UseNote {
  interactionId: string;
  /** The ways by which it was asked: each gets its answer once. */
  ways: string[];
}

/** Notes under which ids a prompt was asked. */
export async function askNotes(
  { store }: Ports,
  who: Who,
  { requestId, version, use, digest }: Asking,
  interactionId: string,
): Promise<Write[]> {
  const scope = asksOf(who);
  const before = use ? await store.journalEntry(scope, useKey(use.name)) : null;
  const known = before?.value as UseNote | undefined;
  const others = known?.interactionId === interactionId ? known.ways : [];
  const at = { ifVersion: before?.version ?? 0 };
  return [
    ...(requestId === undefined
      ? []
      : [noteWrite([scope, requestId], { interactionId }, { digest, ifVersion: version })]),
    ...(use === undefined
      ? []
      : [noteWrite([scope, useKey(use.name)], { interactionId, ways: [...others, use.way] }, at)]),
  ];
}

/**
 * Gives whoever asks about the same use of a tool by another way the prompt that there is about it,
 * for good: under its own id it finds that prompt from now on.
 */
export async function joinUse(
  ports: Ports,
  who: Who,
  ids: Asking,
): Promise<Asked | typeof LOST_RACE | undefined> {
  if (ids.use === undefined) return undefined;
  const entry = await ports.store.journalEntry(asksOf(who), useKey(ids.use.name));
  const { interactionId, ways } = (entry?.value ?? { interactionId: "", ways: [] }) as UseNote;
  // Models use ids again: by the same way it is another use.
  if (!entry || ways.includes(ids.use.way)) return undefined;
  const row = await ports.store.interaction(interactionId);
  if (!row || (row.endedAt !== null && row.endedAt < ports.clock.now() - SLOW_MS)) return undefined;
  const writes = await askNotes(ports, who, ids, row.id);
  const { ok } = await ports.store.commit({ writes, events: [] });
  return ok ? { interaction: toInteractionRecord(row), isNew: false } : LOST_RACE;
}

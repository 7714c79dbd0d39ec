import {
  type CallAbout,
  type FileChange,
  type InteractionRequest,
  jsonBytes,
  LIMITS,
} from "../../protocol/index.ts";
import { noteWrite } from "../call/journal.ts";
import type { InteractionRow, Write } from "../ports.ts";
import type { CorePorts } from "../api.ts";

interface Shown {
  changes?: FileChange[];
  changesBytes?: number;
}

/** Changes as an event tells them: all of them, or how large they are. */
export function shownChanges(changes: FileChange[] | undefined): Shown {
  if (changes === undefined) return {};
  const bytes = jsonBytes(changes);
  return bytes > LIMITS.inlineToolInputBytes ? { changesBytes: bytes } : { changes };
}

/** What a call is about, as its events tell it. */
export function shownAbout({ changes, ...about }: CallAbout): Omit<CallAbout, "changes"> & Shown {
  return { ...about, ...shownChanges(changes) };
}

/** What a prompt shows of changes: its own, else those of the call that it lets run. */
export function changesOfPrompt(
  call: { about?: CallAbout },
  { type, changes }: { type: string; changes?: FileChange[] | undefined },
): FileChange[] | undefined {
  return changes ?? (type === "approval" ? call.about?.changes : undefined);
}

const NOTE = "changes";

/** Keeps changes that a prompt's event only counts. */
export function changesWrites(
  { id, request }: Pick<InteractionRow, "id" | "request">,
  changes: FileChange[] | undefined,
): Write[] {
  if (request.changesBytes === undefined || !changes) return [];
  return [noteWrite([id, NOTE], { changes })];
}

/** All of the changes that a prompt's event only counts. An attempt that gives none has those before. */
export async function keptChanges(
  ports: Pick<CorePorts, "store">,
  { id, previousId }: InteractionRow,
): Promise<InteractionRequest["changes"]> {
  const note = await ports.store.journalEntry(id, NOTE);
  if (note) return (note.value as Shown).changes;
  const before = previousId === null ? null : await ports.store.interaction(previousId);
  return before ? keptChanges(ports, before) : undefined;
}

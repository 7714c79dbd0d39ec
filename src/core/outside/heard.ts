import { DEFAULTS } from "../../protocol/index.ts";
import type { CorePorts } from "../api.ts";
import { noteWrite } from "../call/journal.ts";
import { isOpen } from "../interaction.ts";
import type { InteractionRow, Who } from "../ports.ts";

/*
 * A program that repeats its question may have lost the answer, or may want another one. Who asks
 * with `untilHeard` says when an answer has reached it: until then the same question is the same
 * prompt, and afterwards a new one, so that nobody's old yes answers it.
 */

export const asksOf = (who: Who) => `asks:${who.principalId}`;

/** No request id has a slash. */
const heardKey = (interactionId: string) => `heard/${interactionId}`;

/** Whether whoever asked still waits for this prompt's end, or may have lost it. */
export async function isUnheard(
  { clock, store }: Pick<CorePorts, "clock" | "store">,
  who: Who,
  row: InteractionRow,
): Promise<boolean> {
  if (isOpen(row)) return true;
  const isRecent = (row.endedAt ?? 0) + DEFAULTS.adoptionMs > clock.now();
  if (row.status !== "answered" || !isRecent) return false;
  return (await store.journalEntry(asksOf(who), heardKey(row.id))) === null;
}

/** The answer has reached whoever asked with `untilHeard`. */
export async function markHeard(
  { store }: Pick<CorePorts, "store">,
  who: Who,
  interactionId: string,
): Promise<void> {
  // Whoever was first to mark it has marked it.
  await store.commit({
    writes: [noteWrite([asksOf(who), heardKey(interactionId)], null)],
    events: [],
  });
}

import { createHash } from "node:crypto";

/** Something that the history of an agent's own holds. */
export interface NativeEntry {
  /** By what it is known, the surest first: its id, then what it is and its words. */
  keys: readonly string[];
}

/** A key for what has no id that both sides know. */
export function keyOf(kind: string, words: string): string {
  const hash = createHash("sha256").update(words.trim()).digest("base64url");
  return `${kind}:${hash.slice(0, 16)}`;
}

/**
 * What the agent's own history holds and the log lacks, in the history's order. Two entries with the
 * same words need to be known twice.
 *
 * @param known a key for each thing that the log has, in the order in which it was told
 */
export function missing<Entry extends NativeEntry>(
  entries: readonly Entry[],
  known: readonly string[],
): Entry[] {
  const left = new Map<string, number>();
  for (const key of known) left.set(key, (left.get(key) ?? 0) + 1);
  return entries.filter(({ keys }) => {
    const key = keys.find((one) => (left.get(one) ?? 0) > 0);
    if (key === undefined) return true;
    left.set(key, (left.get(key) ?? 0) - 1);
    return false;
  });
}

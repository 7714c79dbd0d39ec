import { createHash } from "node:crypto";
import type { Told } from "../../core/index.ts";

/** Something that the history of an agent's own holds. */
export interface NativeEntry {
  /** By what it is known, the surest first: its id, then what it is and its words. */
  keys: readonly string[];
}

/** The keys of all that `turn.told()` tells. */
export function keysOf({ texts, nativeIds }: Told): string[] {
  return [...texts.map(textKey), ...nativeIds.map(idKey)];
}

export const textKey = (words: string) => keyOf("text", words);
export const idKey = (nativeId: string) => `id:${nativeId}`;
const isId = (key: string) => key.startsWith("id:");

/** A key for what has no id that both sides know. Blanks around the words make no difference. */
export function keyOf(kind: string, words: string): string {
  const hash = createHash("sha256").update(words.trim()).digest("base64url");
  return `${kind}:${hash.slice(0, 16)}`;
}

/**
 * What the log has, by keys. An id is known however often it comes; words only as often as they were
 * told.
 */
export class Known {
  readonly #left = new Map<string, number>();

  constructor(keys: readonly string[]) {
    for (const key of keys) this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  /** Whether one of these is there. Words are used up by that. */
  take(keys: readonly string[]): boolean {
    const key = keys.find((one) => (this.#left.get(one) ?? 0) > 0);
    if (key === undefined) return false;
    if (!isId(key)) this.#left.set(key, (this.#left.get(key) ?? 0) - 1);
    return true;
  }
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
  const there = new Known(known);
  return entries.filter(({ keys }) => !there.take(keys));
}

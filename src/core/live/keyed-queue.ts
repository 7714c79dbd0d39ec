import type { Departure } from "../run/departure.ts";

/** The last work that waits under each key. */
export type KeyedQueue = Map<string, Promise<unknown>>;

/**
 * Lets work of one key happen in turn, so that twenty at once cannot slip past a limit that each of
 * them looked at too early. Nobody waits for work whose owner is gone: it may never end.
 */
export async function oneAtATime<Result>(
  queue: KeyedQueue,
  key: string,
  gone: Departure,
  work: () => Promise<Result>,
): Promise<Result> {
  const mine = (queue.get(key) ?? Promise.resolve()).then(work);
  const over: Promise<void> = gone
    .until(mine)
    .catch(() => {})
    .then(() => {
      if (queue.get(key) === over) queue.delete(key);
    });
  queue.set(key, over);
  return mine;
}

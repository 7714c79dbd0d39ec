import type { Readable } from "../client/index.ts";

interface Closable {
  close: () => void;
}

/** Something that is followed while anybody looks at it. */
export interface Lazy<State, Live> {
  get: () => State;
  subscribe: (listener: () => void) => () => void;
  /** What follows it; missing while nobody looks. */
  live: () => Live | undefined;
}

/**
 * Opens with the first listener and closes with the last one, so that a component which React
 * mounts twice, or never, leaves nothing open behind it.
 */
export function lazy<State, Live extends Readable<State> & Closable>(
  open: () => Live,
  idle: State,
): Lazy<State, Live> {
  let live: Live | undefined;
  let count = 0;
  return {
    live: () => live,
    get: () => live?.get() ?? idle,
    subscribe(listener) {
      const own = (live ??= open());
      count++;
      const end = own.subscribe(listener);
      return () => {
        end();
        if (--count > 0) return;
        own.close();
        live = undefined;
      };
    },
  };
}

import type { Store } from "../core/ports.ts";

const MAX_TURNS = 4;

/**
 * A store whose calls begin late and answer late, by a random number of turns of the loop, so that
 * two calls started in one order may happen in another. A seeded `random` (0 ≤ n < 1) repeats a
 * schedule; no wall-clock time passes.
 */
export function withLatency(store: Store, random: () => number): Store {
  async function delay(): Promise<void> {
    const turns = Math.floor(random() * MAX_TURNS);
    for (let turn = 0; turn < turns; turn++) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...given: unknown[]): Promise<unknown> => {
        // Copied now: a caller that changes what it gave must not change what is stored.
        const copies = given.map(copy);
        await delay();
        try {
          return await (Reflect.apply(method, target, copies) as Promise<unknown>);
        } finally {
          await delay();
        }
      };
    },
  });
}

/** What a commit wants to be told is no data, and stays. */
function copy(given: unknown): unknown {
  if (typeof given !== "object" || given === null || !("decided" in given)) {
    return structuredClone(given);
  }
  const { decided, ...data } = given;
  return { ...structuredClone(data), decided };
}

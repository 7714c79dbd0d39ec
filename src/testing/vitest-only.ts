import type { storeContract as StoreContract } from "./store-contract.ts";

/** Only where vitest runs is it there to be imported; every other runner can use the rest. */
const loaded = process.env["VITEST"] ? await import("./store-contract.ts") : undefined;

/**
 * What every store promises, as one vitest suite: a new store starts with it red and is done when it
 * is green. Needs vitest; the rest of this module does not.
 *
 * Contract: `open` gives an empty store each time, which uses the given clock; `reopen` closes it
 * and opens it again on the same data, and is left out where nothing outlives the process.
 */
export const storeContract: typeof StoreContract = (name, open) => {
  if (!loaded)
    throw new Error("storeContract is a vitest suite: call it in a test that vitest runs.");
  loaded.storeContract(name, open);
};

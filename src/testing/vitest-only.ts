import type { storeContract as StoreContract } from "./store-contract.ts";
import type { transportContract as TransportContract } from "./transport-contract.ts";

/** Only where vitest runs is it there to be imported; every other runner can use the rest. */
const isThere = Boolean(process.env["VITEST"]);
const store = isThere ? await import("./store-contract.ts") : undefined;
const transport = isThere ? await import("./transport-contract.ts") : undefined;

/**
 * What every store promises, as one vitest suite: a new store starts with it red and is done when it
 * is green. Needs vitest; the rest of this module does not.
 *
 * Contract: `open` gives an empty store each time, which uses the given clock; `reopen` closes it
 * and opens it again on the same data, and is left out where nothing outlives the process.
 */
export const storeContract: typeof StoreContract = (name, open) => {
  if (!store) throw needsVitest("storeContract");
  store.storeContract(name, open);
};

/**
 * What every transport promises, as one vitest suite over a real server. Needs vitest.
 *
 * Contract: `open` starts a server with the demo agent and the given tools, and nothing in it.
 */
export const transportContract: typeof TransportContract = (name, open) => {
  if (!transport) throw needsVitest("transportContract");
  transport.transportContract(name, open);
};

function needsVitest(name: string): Error {
  return new Error(`${name} is a vitest suite: call it in a test that vitest runs.`);
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { CorePorts } from "../../src/core/index.ts";

export type TestScope = CorePorts["scope"] & { close(): void };

/**
 * The product's scope, but one that can be put away. Node 20 visits every AsyncLocalStorage in use
 * at each promise of the process, so those of the worlds of a whole suite would slow it down.
 */
export function createTestScope(): TestScope {
  const storage = new AsyncLocalStorage<never>();
  return {
    run: (value, work) => storage.run(value as never, work),
    current: () => storage.getStore(),
    close: () => storage.disable(),
  };
}

import { type Store, StoreUnavailable } from "../ports.ts";

/** Whether the store could be used when it was used last. */
export interface StoreHealth {
  ok: boolean;
}

/** Writes that only go through when the disk takes them. */
const PROVES_HEALTH = new Set<PropertyKey>(["commit", "health"]);

/** The same store, from whose answers `health` is learned, at no cost of its own. */
export function watchStore(store: Store, health: StoreHealth): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...given: unknown[]) => {
        const result = Reflect.apply(method, target, given) as Promise<unknown>;
        result.then(
          () => {
            if (PROVES_HEALTH.has(name)) health.ok = true;
          },
          (error: unknown) => {
            if (error instanceof StoreUnavailable) health.ok = false;
          },
        );
        return result;
      };
    },
  });
}

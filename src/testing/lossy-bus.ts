import type { Bus, BusMessage } from "../core/ports.ts";

/**
 * Joins several processes' buses by a wire that delays, repeats and loses. A process always hears
 * its own messages at once; what crosses to the others is only ever a hint.
 */
export function createLossyBuses(count: number, random: () => number): Bus[] {
  const nodes = Array.from({ length: count }, () => new Set<(message: BusMessage) => void>());

  function deliver(
    node: Set<(message: BusMessage) => void>,
    message: BusMessage,
    turns: number,
  ): void {
    if (turns > 0) {
      setImmediate(() => deliver(node, message, turns - 1));
      return;
    }
    for (const listener of node) listener(structuredClone(message));
  }

  return nodes.map((own) => ({
    publish(message) {
      for (const listener of own) listener(message);
      for (const node of nodes) {
        if (node === own || random() < 0.3) continue;
        deliver(node, message, 1 + Math.floor(random() * 6));
        if (random() < 0.3) deliver(node, message, 1 + Math.floor(random() * 12));
      }
    },
    subscribe(listener) {
      own.add(listener);
      return () => own.delete(listener);
    },
  }));
}

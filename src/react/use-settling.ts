import { useEffect, useState } from "react";
import { GUARD_MS } from "./use-time.ts";

const cards = new Set<(by: object) => void>();

function tellOthers(by: object): void {
  for (const moved of cards) moved(by);
}

/**
 * True for half a second after another card came, ended or went: that moves the cards around it, and
 * a click was aimed at what stood there before.
 */
export function useSettling(open: boolean): boolean {
  const [self] = useState(() => ({}));
  const [movedAt, setMovedAt] = useState<number>();
  useEffect(() => {
    const moved = (by: object) => {
      if (by !== self) setMovedAt(performance.now());
    };
    cards.add(moved);
    return () => void cards.delete(moved);
  }, [self]);
  useEffect(() => {
    if (!open) return undefined;
    tellOthers(self);
    return () => tellOthers(self);
  }, [open, self]);
  useEffect(() => {
    if (movedAt === undefined) return undefined;
    const timer = setTimeout(() => setMovedAt(undefined), GUARD_MS);
    return () => clearTimeout(timer);
  }, [movedAt]);
  return movedAt !== undefined;
}

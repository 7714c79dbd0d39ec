import { useEffect, useState } from "react";
import { useTransport } from "./transport-context.tsx";

/** A click meant for what was there before must not decide what has just appeared. */
export const GUARD_MS = 500;

/** True once `live` has been true, and `about` the same, for half a second without a break. */
export function useArmed(live: boolean, about?: unknown): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    if (!live) return;
    const timer = setTimeout(() => setArmed(true), GUARD_MS);
    return () => {
      clearTimeout(timer);
      setArmed(false);
    };
  }, [live, about]);
  return armed && live;
}

/** The time of the server, each second while somebody looks at it. */
export function useNow(ticking: boolean): number {
  const transport = useTransport();
  const [, tick] = useState(0);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => tick((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [ticking]);
  // oxlint-disable-next-line react/purity -- the time of this very drawing is what is asked for
  return transport.serverNow?.() ?? Date.now();
}

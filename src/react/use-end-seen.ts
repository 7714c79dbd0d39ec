import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

interface Watched {
  /** What is in the box: with something else in it, it is looked at anew. */
  of: unknown;
  isDrawn: () => boolean;
  /** Called once. */
  onSeen: (() => void) | undefined;
}

/** Tells that a box was scrolled to its end, once all of it is drawn. */
export function useEndSeen(box: RefObject<HTMLElement | null>, watched: Watched): void {
  const now = useRef(watched);
  useEffect(() => {
    now.current = watched;
  });
  const isAsked = watched.onSeen !== undefined;
  useLayoutEffect(() => {
    if (!isAsked) return undefined;
    const look = () => {
      if (!box.current || !now.current.isDrawn() || !endIsInSight(box.current)) return;
      stop();
      now.current.onSeen?.();
    };
    // A box that is drawn or resized late does not tell: a look now and then finds out.
    const timer = setInterval(look, LOOK_MS);
    const stop = () => {
      clearInterval(timer);
      document.removeEventListener("scroll", look, true);
    };
    document.addEventListener("scroll", look, true);
    look();
    return stop;
  }, [isAsked, box, watched.of]);
}

const LOOK_MS = 200;
const EDGE_PX = 8;

function endIsInSight(box: HTMLElement): boolean {
  return box.scrollTop + box.clientHeight >= box.scrollHeight - EDGE_PX;
}

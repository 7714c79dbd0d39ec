import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Tells once that the end of a box was in sight.
 *
 * @param of what is in the box: with something else in it, it is looked at anew
 */
export function useEndSeen(
  box: RefObject<HTMLElement | null>,
  of: unknown,
  onSeen: (() => void) | undefined,
): void {
  const told = useRef(onSeen);
  useLayoutEffect(() => {
    told.current = onSeen;
  });
  const isAsked = onSeen !== undefined;
  useLayoutEffect(() => {
    if (!isAsked) return undefined;
    const look = () => {
      if (!box.current || !endIsInSight(box.current)) return;
      stop();
      told.current?.();
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
  }, [isAsked, box, of]);
}

const LOOK_MS = 200;
const EDGE_PX = 8;

/** Scrolled to its end, in the window, and not covered by the row of buttons, which stays in view. */
function endIsInSight(box: HTMLElement): boolean {
  const row = box.closest(".bk-card")?.querySelector(".bk-row");
  const end = box.getBoundingClientRect().bottom - EDGE_PX;
  const isRead = box.scrollTop + box.clientHeight >= box.scrollHeight - EDGE_PX;
  return isRead && end <= innerHeight && !(row && coverOf(row) < end);
}

/** Where a row begins to cover, without the note above its buttons, which goes once this is seen. */
function coverOf(row: Element): number {
  const [buttons, note] = row.children;
  return note && buttons ? topOf(buttons) - EDGE_PX : topOf(row);
}

const topOf = (element: Element) => element.getBoundingClientRect().top;

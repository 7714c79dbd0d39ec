import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Tells once that the end of a box was in sight, for longer than a moment.
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
    let looks = 0;
    // What is above it may still be drawn: what has moved on by the next look was not in sight.
    const timer = setInterval(() => {
      looks = box.current && endIsInSight(box.current) ? looks + 1 : 0;
      if (looks < 2) return;
      clearInterval(timer);
      told.current?.();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isAsked, box, of]);
}

const LOOK_MS = 100;
const EDGE_PX = 8;

/** Scrolled to its end, in the window, and covered by nothing: not by the buttons, which stay in view. */
function endIsInSight(box: HTMLElement): boolean {
  const card = box.closest(".bk-card") ?? box;
  const row = card.querySelector(".bk-row");
  const { left, width, bottom } = box.getBoundingClientRect();
  const end = bottom - EDGE_PX;
  const isRead = box.scrollTop + box.clientHeight >= box.scrollHeight - EDGE_PX;
  if (!isRead || end > innerHeight || (row && coverOf(row) < end)) return false;
  // Nothing of the page's either, such as the field for a message.
  const front = document.elementFromPoint?.(left + width / 2, end);
  return !front || card.contains(front);
}

/** Where a row begins to cover once the note above its buttons has gone, which it does when this is seen. */
function coverOf(row: Element): number {
  const [buttons, note] = row.children;
  const { top, bottom } = row.getBoundingClientRect();
  // One that reaches below the window can rise no higher, and stays where it is.
  const falls = note && buttons && bottom <= innerHeight + EDGE_PX;
  return falls ? buttons.getBoundingClientRect().top - EDGE_PX : top;
}

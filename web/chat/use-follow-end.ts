import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";

/** How near to the end a reader must be for the transcript to follow what comes. */
const NEAR_END = 60;

/** Where a prompt that is taller than the frame was put, and whether its reader has moved or used it. */
interface Placed {
  row: number;
  top: number;
  moved: boolean;
}

/**
 * Keeps a list at its end while its reader is there, however the list, its rows or its frame change
 * size. Only a reader who scrolls up leaves the end; scrolling down to it, or sending something
 * (`sent` counts that), follows again. A prompt that waits at the end (`waiting` is its row) and does
 * not fit is shown from its top, once: whoever fills it in is not moved.
 */
export function useFollowEnd(
  list: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLDivElement | null>,
  { filled, sent, waiting }: { filled: boolean; sent: number; waiting?: number },
): { follow: () => void; leave: () => void; isFollowing: () => boolean } {
  const following = useRef(true);
  const placed = useRef<Placed>(undefined);
  const waitingRow = useRef(waiting);
  useLayoutEffect(() => {
    waitingRow.current = waiting;
  });
  const size = list.getTotalSize();

  const toEnd = useCallback(() => {
    const row = waitingRow.current;
    const top = row === undefined ? undefined : list.measurementsCache[row]?.start;
    const height = scroller.current?.clientHeight ?? 0;
    if (row === undefined || top === undefined || list.getTotalSize() - top <= height) {
      placed.current = undefined;
      list.scrollToEnd();
    } else if (placed.current?.row !== row || !placed.current.moved) {
      placed.current = { row, top, moved: false };
      list.scrollToOffset(top);
    }
  }, [list, scroller]);

  useLayoutEffect(() => {
    if (filled && following.current) toEnd();
  }, [filled, size, waiting, toEnd]);

  useEffect(() => {
    if (sent > 0) following.current = true;
  }, [sent]);

  useEffect(() => {
    const frame = scroller.current;
    if (!frame) return undefined;
    let last = { top: frame.scrollTop, height: frame.scrollHeight, frame: frame.clientHeight };
    const onScroll = () => {
      const now = { top: frame.scrollTop, height: frame.scrollHeight, frame: frame.clientHeight };
      const fromEnd = now.height - now.top - now.frame;
      const ours = placed.current && Math.abs(now.top - placed.current.top) < 2;
      // A browser moves the list by itself when something changes size; that is nobody's wish.
      const byReader = !ours && now.height === last.height && now.frame === last.frame;
      if (byReader && placed.current) placed.current.moved = true;
      if (fromEnd < NEAR_END) following.current = true;
      else if (byReader && now.top < last.top) following.current = false;
      last = now;
    };
    // Whoever presses something in it sees what that unfolds, which the card scrolls to.
    const onUse = () => {
      const row = waitingRow.current;
      if (row !== undefined) placed.current = { row, top: frame.scrollTop, moved: true };
    };
    let width = frame.clientWidth;
    const resized = new ResizeObserver(() => {
      // All rows break anew, and what was in sight may be no longer: as for a prompt that has just come.
      if (frame.clientWidth !== width) placed.current = undefined;
      width = frame.clientWidth;
      if (following.current) toEnd();
    });
    frame.addEventListener("scroll", onScroll, { passive: true });
    frame.addEventListener("pointerdown", onUse);
    frame.addEventListener("keydown", onUse);
    resized.observe(frame);
    return () => {
      frame.removeEventListener("scroll", onScroll);
      frame.removeEventListener("pointerdown", onUse);
      frame.removeEventListener("keydown", onUse);
      resized.disconnect();
    };
  }, [scroller, toEnd]);

  return useMemo(
    () => ({
      follow() {
        following.current = true;
        list.scrollToEnd();
      },
      leave() {
        following.current = false;
      },
      isFollowing: () => following.current,
    }),
    [list],
  );
}

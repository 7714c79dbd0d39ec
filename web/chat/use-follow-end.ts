import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";

/** How near to the end a reader must be for the transcript to follow what comes. */
const NEAR_END = 60;

/**
 * Keeps a list at its end while its reader is there, however the list, its rows or its frame change
 * size. Only a reader who scrolls up leaves the end; scrolling down to it, or sending something
 * (`sent` counts that), follows again.
 */
export function useFollowEnd(
  list: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLDivElement | null>,
  filled: boolean,
  sent: number,
): { follow: () => void; leave: () => void; isFollowing: () => boolean } {
  const following = useRef(true);
  const size = list.getTotalSize();

  useLayoutEffect(() => {
    if (filled && following.current) list.scrollToEnd();
  }, [filled, size, list]);

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
      // A browser moves the list by itself when something changes size; that is nobody's wish.
      const byReader = now.height === last.height && now.frame === last.frame;
      if (fromEnd < NEAR_END) following.current = true;
      else if (byReader && now.top < last.top) following.current = false;
      last = now;
    };
    const resized = new ResizeObserver(() => {
      if (following.current) list.scrollToEnd();
    });
    frame.addEventListener("scroll", onScroll, { passive: true });
    resized.observe(frame);
    return () => {
      frame.removeEventListener("scroll", onScroll);
      resized.disconnect();
    };
  }, [list, scroller]);

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

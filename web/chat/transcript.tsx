import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react";
import type { ChatView } from "../../src/client/index.ts";
import { hasOpenPrompt, promptsOf, type Row, toRows } from "./rows.ts";
import { useFollowEnd } from "./use-follow-end.ts";

/** How near to its beginning they must be for older events to be read. */
const NEAR_START = 6;

interface Props {
  view: ChatView;
  /** Goes to the end each time it changes: somebody here has sent something. */
  sent: number;
  /** A prompt to bring into view, once per change. */
  show?: { interactionId: string };
  loadOlder: () => Promise<void>;
  children: (row: Row) => ReactNode;
}

/** Opens at its end, follows it while the reader is there, and keeps its place when older events load. */
export function Transcript({ view, sent, show, loadOlder, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => toRows(view), [view]);
  const kept = useMemo(
    () => rows.flatMap((row, at) => (hasOpenPrompt(row, view) ? [at] : [])),
    [rows, view],
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (rows[at]?.kind === "tools" ? 64 : 110),
    getItemKey: (at) => rows[at]?.key ?? at,
    // What somebody is filling in stays in the page even when it is scrolled out of sight.
    rangeExtractor: useCallback(
      (range: Range) =>
        [...new Set([...defaultRangeExtractor(range), ...kept])]
          .filter((at) => at < range.count)
          .toSorted((a, b) => a - b),
      [kept],
    ),
    overscan: 8,
    paddingStart: 28,
    paddingEnd: 28,
    anchorTo: "end",
  });

  const filled = rows.length > 0;
  const waiting = kept.at(-1) === rows.length - 1 ? rows.length - 1 : undefined;
  const end = useFollowEnd(list, scroller, { filled, sent, waiting });

  const items = list.getVirtualItems();
  // Before the first jump to the end the beginning is in sight, which is nobody's wish to read it.
  const fits = list.getTotalSize() <= (scroller.current?.clientHeight ?? 0);
  const first = items.find(({ index }) => !kept.includes(index))?.index ?? NEAR_START;
  const nearStart = fits || (!end.isFollowing() && first < NEAR_START);
  useEffect(() => {
    if (filled && nearStart && view.firstSeq > 1) void loadOlder().catch(() => {});
  }, [filled, nearStart, view.firstSeq, loadOlder]);

  const shown = useRef<Props["show"]>(undefined);
  useEffect(() => {
    if (!show || shown.current === show) return;
    const at = rows.findIndex((row) => promptsOf(row, view).includes(show.interactionId));
    if (at < 0) return;
    shown.current = show;
    end.leave();
    list.scrollToIndex(at, { align: "center" });
    requestAnimationFrame(() => {
      const frame = scroller.current;
      const row = frame?.querySelector<HTMLElement>(`[data-index="${at}"]`);
      if (frame && row && row.offsetHeight > frame.clientHeight) {
        list.scrollToIndex(at, { align: "start" });
      }
      row?.focus({ preventScroll: true });
      row?.classList.add("row-shown");
    });
  }, [show, rows, view, list, end]);

  // Over the buttons of a prompt nothing may float; the header leads to what waits.
  const away = filled && kept.length === 0 && list.getDistanceFromEnd() > 200;
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        className="h-full overflow-y-auto [overflow-anchor:none]"
        role="region"
        aria-label="Conversation"
        tabIndex={0}
      >
        <h2 className="sr-only">Conversation</h2>
        <div className="relative w-full" style={{ height: list.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  ref={list.measureElement}
                  data-index={index}
                  tabIndex={-1}
                  className={`transcript-row ${row.first ? "pt-6" : "pt-3"}`}
                  // Not moved by a transform: what sticks to the edge of the frame knows nothing of it.
                  style={{ top: start }}
                >
                  {children(row)}
                </div>
              )
            );
          })}
        </div>
      </div>
      {away && (
        <button
          className="button absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-md"
          onClick={end.follow}
        >
          <ArrowDown aria-hidden size={15} /> To the end
        </button>
      )}
    </div>
  );
}

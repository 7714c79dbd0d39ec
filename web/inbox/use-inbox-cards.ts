import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTransport } from "../../src/react/index.ts";
import type { InteractionRecord } from "../../src/protocol/index.ts";
import { useInbox } from "../shell/world.tsx";

export interface InboxGroup {
  sessionId: string;
  records: InteractionRecord[];
}

/**
 * What waits, and what ended while this page was open: an answered card stays where it was, with
 * what became of it, until somebody puts it away.
 */
export function useInboxCards() {
  const { interactions: open, ready } = useInbox();
  const transport = useTransport();
  const [ended, setEnded] = useState<ReadonlyMap<string, InteractionRecord>>(new Map());

  // What is shown came perhaps before this page had a list of its own.
  const shown = useRef(new Set<string>());
  useEffect(() => {
    for (const { id } of open) shown.current.add(id);
  }, [open]);

  useEffect(() => {
    const seen = shown.current;
    const keep = (record: InteractionRecord) => {
      if (record.status === "pending") return void seen.add(record.id);
      // Another prompt of the same call stands in its place.
      if (!seen.delete(record.id) || record.status === "superseded") return;
      setEnded((before) => new Map(before).set(record.id, record));
    };
    return transport.watchInbox({
      list(records) {
        const now = new Set(records.map(({ id }) => id));
        // It ended while the line was down; one whose session is gone is gone with it.
        for (const id of seen)
          if (!now.has(id)) void transport.interaction(id).then(keep, () => {});
        for (const record of records) keep(record);
      },
      updated: keep,
    });
  }, [transport]);

  useEffect(
    () =>
      transport.watchSessions({
        updated: () => {},
        stale: () => {},
        deleted: (sessionId) =>
          setEnded((before) => without(before, (one) => one.sessionId === sessionId)),
      }),
    [transport],
  );

  const dismiss = useCallback(
    (id?: string) => setEnded((before) => without(before, (one) => !id || one.id === id)),
    [],
  );
  const groups = useMemo(() => toGroups([...open, ...ended.values()]), [open, ended]);
  return { groups, ready, waiting: open.length, ended: ended.size, dismiss };
}

function without(
  records: ReadonlyMap<string, InteractionRecord>,
  isGone: (record: InteractionRecord) => boolean,
) {
  return new Map([...records].filter(([, record]) => !isGone(record)));
}

/** By session, the one that has waited longest first; each prompt once, in the order of asking. */
function toGroups(records: InteractionRecord[]): InboxGroup[] {
  const unique = [...new Map(records.map((record) => [record.id, record])).values()];
  const groups = new Map<string, InboxGroup>();
  for (const record of unique.sort(byAge)) {
    if (unique.some((other) => isAskedAgain(record, other))) continue;
    const { sessionId } = record;
    const group = groups.get(sessionId) ?? { sessionId, records: [] };
    group.records.push(record);
    groups.set(sessionId, group);
  }
  return [...groups.values()];
}

/** The answer was not good enough: the later prompt of the same call shows it, and why. */
function isAskedAgain(record: InteractionRecord, later: InteractionRecord): boolean {
  return (
    record.toolCallId === later.toolCallId &&
    record.sessionId === later.sessionId &&
    record.status !== "pending" &&
    later.request.attempt > Math.max(1, record.request.attempt)
  );
}

function byAge(a: InteractionRecord, b: InteractionRecord): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
}

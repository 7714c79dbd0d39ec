import type { Commit, NewEvent, RowId, Table, Write } from "../../core/ports.ts";
import type { SqlRow, SqlValue } from "./database.ts";
import { refuseNul } from "./refuse-nul.ts";
import { keyOf, layoutOf, toRow } from "./rows.ts";

export interface EncodedWrite {
  table: Table;
  id: RowId;
  key: readonly string[];
  ifVersion: number;
  /** The written columns without the key, as SQL keeps them. */
  set: SqlRow;
}

/** A commit as SQL keeps it: a copy, so that what a caller changes later changes nothing. */
export interface EncodedCommit {
  sessionId: string | undefined;
  fence: Commit["fence"];
  writes: EncodedWrite[];
  /** The values of each event after its session and `seq`, and without its hash. */
  events: SqlValue[][];
  bytes: number;
}

const EVENT_VERSION = 1;

export function encodeCommit(commit: Commit): EncodedCommit {
  const writes = commit.writes.map(encodeWrite);
  const events = commit.events.map(encodeEvent);
  let bytes = 0;
  for (const write of writes) bytes += bytesOf(Object.values(write.set));
  for (const event of events) bytes += bytesOf(event);
  const fence = commit.fence && { ...commit.fence };
  return { sessionId: commit.sessionId, fence, writes, events, bytes };
}

function encodeWrite({ table, id, ifVersion, set }: Write): EncodedWrite {
  const key = keyOf(id);
  const { keyNames } = layoutOf(table);
  if (key.length !== keyNames.length) {
    throw new Error(`A row of "${table}" is named by ${keyNames.join(" and ")}.`);
  }
  for (const part of key) refuseNul(part);
  return { table, id, key, ifVersion, set: toRow(table, set) };
}

function encodeEvent(event: NewEvent): SqlValue[] {
  const { turnId, responseId, callId, interactionId, actorId } = event;
  for (const text of [event.id, turnId, responseId, callId, interactionId, actorId]) {
    if (text !== undefined) refuseNul(text);
  }
  return [
    event.id,
    EVENT_VERSION,
    event.type,
    event.at,
    turnId ?? null,
    responseId ?? null,
    callId ?? null,
    interactionId ?? null,
    actorId ?? null,
    JSON.stringify(event.payload),
    event.audit === undefined ? null : JSON.stringify(event.audit),
  ];
}

function bytesOf(values: SqlValue[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === "string" ? value.length : 8;
  return bytes;
}

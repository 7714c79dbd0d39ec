import type { Commit, NewEvent, RowId, Table, Write } from "../../core/ports.ts";
import type { SqlValue } from "./database.ts";
import { refuseNul } from "./refuse-nul.ts";
import { keyOf, layoutOf, type SetValues, toSetValues } from "./rows.ts";
import type { EventValues } from "./unwritten-events.ts";

export interface EncodedWrite {
  table: Table;
  id: RowId;
  ifVersion: number;
  /** The written columns without the key. */
  set: SetValues;
}

/** A commit as SQL keeps it: a copy, so that what a caller changes later changes nothing. */
export interface EncodedCommit {
  sessionId: string | undefined;
  fence: Commit["fence"];
  limits: Commit["limits"];
  absent: Commit["absent"];
  writes: EncodedWrite[];
  /** Without what they get in their log: `seq` and hash. */
  events: EventValues[];
  bytes: number;
}

const EVENT_VERSION = 1;

export function encodeCommit(commit: Commit): EncodedCommit {
  const writes = commit.writes.map(encodeWrite);
  const events = commit.events.map((event) => encodeEvent(event, commit.sessionId ?? null));
  let bytes = 0;
  for (const write of writes) bytes += bytesOf(write.set);
  for (const event of events) bytes += bytesOf(event);
  const fence = commit.fence && { ...commit.fence };
  const { sessionId, limits, absent } = commit;
  return { sessionId, fence, limits, absent, writes, events, bytes };
}

function encodeWrite({ table, id, ifVersion, set }: Write): EncodedWrite {
  const key = keyOf(id);
  const { keyNames } = layoutOf(table);
  if (key.length !== keyNames.length) {
    throw new Error(`A row of "${table}" is named by ${keyNames.join(" and ")}.`);
  }
  for (const part of key) refuseNul(part);
  return { table, id, ifVersion, set: toSetValues(table, set) };
}

function encodeEvent(event: NewEvent, sessionId: string | null): EventValues {
  const { turnId = null, responseId = null, callId = null, interactionId = null } = event;
  const { id, type, at, actorId = null, payload, audit } = event;
  refuseNul(id);
  if (turnId !== null) refuseNul(turnId);
  if (responseId !== null) refuseNul(responseId);
  if (callId !== null) refuseNul(callId);
  if (interactionId !== null) refuseNul(interactionId);
  if (actorId !== null) refuseNul(actorId);
  const text = JSON.stringify(payload);
  const audited = audit === undefined ? null : JSON.stringify(audit);
  return [
    sessionId,
    0,
    id,
    EVENT_VERSION,
    type,
    at,
    turnId,
    responseId,
    callId,
    interactionId,
    actorId,
    text,
    audited,
  ];
}

function bytesOf(values: readonly (SqlValue | undefined)[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === "string" ? value.length : 8;
  return bytes;
}

import type { Commit, NewEvent, RowId, Table, Write } from "../../core/ports.ts";
import type { SqlValue } from "./database.ts";
import { keyOf, layoutOf, toRow } from "./rows.ts";

export interface EncodedWrite {
  table: Table;
  id: RowId;
  key: readonly string[];
  ifVersion: number;
  sql: string;
  values: SqlValue[];
}

/** A commit as SQL and its values: a copy, so that what a caller changes later changes nothing. */
export interface EncodedCommit {
  sessionId: string | undefined;
  fence: Commit["fence"];
  writes: EncodedWrite[];
  /** The values of each event after its session and `seq`, and without its hash. */
  events: SqlValue[][];
  bytes: number;
}

const EVENT_VERSION = 1;

export const INSERT_EVENT = /* sql */ `INSERT INTO events
  (session_id, seq, id, v, type, at, turn_id, response_id, call_id, interaction_id, actor_id, payload,
    audit, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function encodeCommit(commit: Commit): EncodedCommit {
  const writes = commit.writes.map(encodeWrite);
  const events = commit.events.map(encodeEvent);
  let bytes = 0;
  for (const write of writes) bytes += bytesOf(write.values);
  for (const event of events) bytes += bytesOf(event);
  const fence = commit.fence && { ...commit.fence };
  return { sessionId: commit.sessionId, fence, writes, events, bytes };
}

function encodeWrite({ table, id, ifVersion, set }: Write): EncodedWrite {
  const { columns, values } = toRow(table, set);
  const key = keyOf(id);
  const { keyNames } = layoutOf(table);
  if (key.length !== keyNames.length) {
    throw new Error(`A row of "${table}" is named by ${keyNames.join(" and ")}.`);
  }
  return ifVersion === 0
    ? { table, id, key, ifVersion, sql: insertInto(table, columns), values: [...key, ...values] }
    : {
        table,
        id,
        key,
        ifVersion,
        sql: update(table, columns),
        values: [...values, ...key, ifVersion],
      };
}

function insertInto(table: Table, columns: string[]): string {
  const { keyColumns } = layoutOf(table);
  const names = [...keyColumns, ...columns].map((column) => `"${column}"`);
  const marks = names.map(() => "?");
  return `INSERT INTO ${table} (${names.join(", ")}, version) VALUES (${marks.join(", ")}, 1)
    ON CONFLICT (${keyColumns.join(", ")}) DO NOTHING`;
}

function update(table: Table, columns: string[]): string {
  const sets = columns.map((column) => `"${column}" = ?, `).join("");
  return `UPDATE ${table} SET ${sets}version = version + 1 WHERE ${layoutOf(table).where} AND version = ?`;
}

function encodeEvent(event: NewEvent): SqlValue[] {
  return [
    event.id,
    EVENT_VERSION,
    event.type,
    event.at,
    event.turnId ?? null,
    event.responseId ?? null,
    event.callId ?? null,
    event.interactionId ?? null,
    event.actorId ?? null,
    JSON.stringify(event.payload),
    event.audit === undefined ? null : JSON.stringify(event.audit),
  ];
}

function bytesOf(values: SqlValue[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === "string" ? value.length : 8;
  return bytes;
}

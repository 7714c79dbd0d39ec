import { ProtocolError } from "../../protocol/index.ts";
import type { Table, Tables } from "../../core/ports.ts";
import { layoutOf } from "./layout.ts";
import type { SqlRow } from "./lane.ts";

export function fromRow<T extends Table>(table: T, row: SqlRow): Tables[T] {
  const result: Record<string, unknown> = {};
  for (const { name, column, kind } of layoutOf(table).columns) {
    const value = row[column] ?? null;
    result[name] = kind === "json" && value !== null ? JSON.parse(value as string) : value;
  }
  return result as unknown as Tables[T];
}

export function fromRows<T extends Table>(table: T, rows: SqlRow[]): Tables[T][] {
  return rows.map((row) => fromRow(table, row));
}

/** What UTF-8 cannot hold, half of a pair, is written as other stores write it. */
export function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? text.replaceAll(/\p{Surrogate}/gu, "\u{FFFD}") : text;
}

/** PostgreSQL has no text with a NUL. */
export function refuseNul(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== "string" || !value.includes("\0")) continue;
    throw new ProtocolError("invalid_request", "Text must not contain the character U+0000.");
  }
}

import type { TextLayout } from "./layout.ts";

/** One of the things that a person is asked, one after the other. */
export interface Asked<Value> {
  at: number;
  count: number;
  value: Value;
  error?: string;
  signal: AbortSignal;
}

/** `2 of 3`; nothing where there is only one. */
export function progressLines({ at, count }: Asked<unknown>, { style }: TextLayout): string[] {
  return count > 1 ? [style.dim(`  ${at + 1} of ${count}`)] : [];
}

export function waysToPick(many: boolean): string {
  return many ? "1–9 or Space tick · Enter goes on" : "1–9, or ↑↓ and Enter";
}

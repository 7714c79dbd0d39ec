import { defined } from "../interaction.ts";
import type { CallRow, JournalRow, RunRow, Write } from "../ports.ts";
import { ToolError } from "./tool.ts";

type Kind = JournalRow["kind"];

/** A call, as far as its journal goes. */
interface JournaledCall {
  row: CallRow;
  journal: ReadonlyMap<string, JournalRow>;
  /** How often each name has been used in each scope. */
  used: Map<string, number>;
}

/** The run in whose name it is written. */
interface JournaledRun {
  row: RunRow;
  /** Stores a write with the run's next commit. */
  remember(write: Write): void;
}

/** Names a call's journal. Session ids hold no slash, so two calls never share one. */
export const journalScope = (sessionId: string, callId: string) => `${sessionId}/${callId}`;

/** Whether what this call does is written down so that it can be run again. */
export function isJournaled(call: Pick<JournaledCall, "row">): boolean {
  return call.row.durable === "replay";
}

/**
 * Names one thing that a call does by where it is called (the handler, or one hook of one
 * interaction), what it is, and how often that was done there before. The same code run again
 * gives the same names in the same order.
 */
export function nameFor(
  call: Pick<JournaledCall, "used">,
  path: string,
  kind: string,
  name: string,
): string {
  const base = `${path}|${kind}|${name}`;
  const count = (call.used.get(base) ?? 0) + 1;
  call.used.set(base, count);
  return `${base}|${count}`;
}

export function journalWrite(
  call: Pick<JournaledCall, "row">,
  key: string,
  kind: Kind,
  entry: { state?: JournalRow["state"]; value: unknown; digest?: string; at?: number },
): Write {
  const row: JournalRow = {
    scopeId: journalScope(call.row.sessionId, call.row.id),
    key,
    kind,
    state: entry.state ?? "done",
    digest: entry.digest ?? null,
    value: defined({ value: entry.value, at: entry.at }),
    version: 1,
  };
  return { table: "journal", id: [row.scopeId, key], ifVersion: 0, set: row };
}

/** Keeps a value under a name that is no call's own. */
export function noteWrite(
  [scopeId, key]: [scopeId: string, key: string],
  value: unknown,
  { digest = null, ifVersion = 0 }: { digest?: string | null; ifVersion?: number } = {},
): Write {
  const set = { kind: "value", state: "done", digest, value } as const;
  return { table: "journal", id: [scopeId, key], ifVersion, set };
}

export function valueOf(row: JournalRow): unknown {
  return (row.value as { value?: unknown } | null)?.value;
}

/** When a step was stored, and its name. Steps that 0.1.0 stored have no time. */
export function stepTime({ key, kind, value }: JournalRow): [string, number][] {
  const { at } = (value ?? {}) as { at?: unknown };
  return kind === "step" && typeof at === "number" ? [[key, at]] : [];
}

/** A value that is taken once: found again when the call is run again, else made and remembered. */
export function takeOnce<Value>(
  run: JournaledRun,
  call: JournaledCall,
  at: { path: string; kind: string; name: string },
  make: () => Value,
): Value {
  const key = nameFor(call, at.path, at.kind, at.name);
  const before = call.journal.get(key);
  if (before) return valueOf(before) as Value;
  const value = make();
  if (isJournaled(call)) run.remember(journalWrite(call, key, "value", { value }));
  return value;
}

/** As it will be after it was stored and read: so the first run sees what a later one would. */
export function throughJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch (cause) {
    throw new ToolError("tool_error", "The tool gave a value that is not JSON.", { cause });
  }
}

export function toFailure(error: unknown): { code: string; message: string } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === "string" && code !== "" ? code : "tool_error",
    message: typeof message === "string" && message !== "" ? message : String(error),
  };
}

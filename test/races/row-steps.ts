import * as fc from "fast-check";
import type { Table, Write } from "../../src/core/ports.ts";
import { grant, interaction, response } from "../../src/testing/store-contract/interaction-rows.ts";
import {
  call,
  journalEntry,
  principal,
  run,
  session,
  token,
} from "../../src/testing/store-contract/rows.ts";
import { insert } from "../../src/testing/store-contract/writes.ts";

export const SESSIONS = ["s0", "s1", "s2"];
export const TABLES: Table[] = [
  "principals",
  "tokens",
  "sessions",
  "runs",
  "tool_calls",
  "journal",
  "interactions",
  "responses",
  "grants",
  "presence",
];
const LARGE = "x".repeat(20_000);
export const BUDGETS = ["machine-1", "machine-2"];
export const TOOLS = ["deploy", "erase"];

/** One of many rows, and what is asked of it; what it means is decided when its turn comes. */
export interface Change {
  table: Table;
  which: number;
  /** Added to the version that the row has. */
  off: number;
  a: number;
  b: number;
}

export type Operation =
  | { kind: "commit"; changes: Change[]; events: number; fence: number; isAhead: boolean }
  | { kind: "claim"; limit: number }
  | { kind: "renew" };

export interface Step {
  operations: Operation[];
  fault: "none" | "COMMIT" | "write" | "foreign";
  after: number;
}

const small = (max: number) => fc.nat({ max });
const change: fc.Arbitrary<Change> = fc.record({
  table: fc.oneof(
    {
      arbitrary: fc.constantFrom<Table>("sessions", "runs", "tool_calls", "interactions"),
      weight: 6,
    },
    { arbitrary: fc.constantFrom<Table>("journal", "responses"), weight: 2 },
    { arbitrary: fc.constantFrom<Table>("grants", "principals", "tokens"), weight: 1 },
  ),
  which: small(5),
  off: fc.oneof(
    { arbitrary: fc.constant(0), weight: 8 },
    { arbitrary: fc.constantFrom(-1, 1), weight: 1 },
  ),
  a: small(11),
  b: small(11),
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant("commit" as const),
      changes: fc.array(change, { maxLength: 3 }),
      events: small(2),
      fence: small(9),
      isAhead: fc.boolean(),
    }),
    weight: 12,
  },
  { arbitrary: fc.record({ kind: fc.constant("claim" as const), limit: small(3) }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant("renew" as const) }), weight: 1 },
);
export const step: fc.Arbitrary<Step> = fc.record({
  operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
  fault: fc.oneof(
    { arbitrary: fc.constant("none" as const), weight: 8 },
    {
      arbitrary: fc.constantFrom("COMMIT" as const, "write" as const, "foreign" as const),
      weight: 2,
    },
  ),
  after: small(3),
});

/** The rows that a table may have, by a small number. */
export function rowOf({ table, which, a, b }: Change): Write {
  const sessionId = SESSIONS[which % 3]!;
  const createdAt = 1 + (b % 3);
  const callId = `c${which % 2}`;
  const large = a === 11 ? { text: LARGE } : null;
  switch (table) {
    case "sessions":
      return insert(
        "sessions",
        session(sessionId, {
          budgetId: [null, ...BUDGETS][a % 3]!,
          runtimeState: large,
          createdAt,
        }),
      );
    case "runs":
      return insert("runs", run(`r${which}`, { sessionId, createdAt, ...runState(a, b) }));
    case "tool_calls":
      return insert(
        "tool_calls",
        call(callId, { sessionId, runId: `r${which % 3}`, createdAt, input: large ?? {} }),
      );
    case "interactions":
      return insert(
        "interactions",
        interaction(`i${which}`, { sessionId, callId, createdAt, ...promptState(a, b) }),
      );
    case "journal":
      return insert("journal", journalEntry(`k${which % 2}`, { scopeId: sessionId, value: large }));
    case "responses":
      return insert("responses", response(`a${which % 2}`, { interactionId: `i${which}` }));
    case "grants":
      return insert("grants", grant(`g${which % 2}`, { tool: TOOLS[a % 2]!, createdAt }));
    case "principals":
      return insert("principals", principal(`p${which % 2}`, { createdAt }));
    case "presence":
      return insert("presence", {
        nodeId: `n${which % 2}`,
        principalId: "p1",
        until: a,
        version: 1,
      });
    case "tokens":
      return insert("tokens", token(`t${which % 2}`, { principalId: `p${which % 2}`, createdAt }));
  }
}

const runState = (a: number, b: number) => ({
  status: (["queued", "live", "suspended", "ended"] as const)[a % 4]!,
  kind: (["turn", "turn", "call"] as const)[b % 3]!,
  leaseUntil: [null, 5, 10 ** 15][b % 3]!,
  owner: ["node-1", "node-2"][b % 2]!,
  position: b,
});
const promptState = (a: number, b: number) => ({
  status: (["open", "expiring", "answered", "open", "cancelled", "open"] as const)[a % 6]!,
  link: (["live", "queued", "orphaned"] as const)[b % 3]!,
  toolName: TOOLS[a % 2]!,
  expiresAt: [null, 7][b % 2]!,
  outcome: a === 10 ? { kind: "complete" as const, value: LARGE } : null,
  adoptedByCall: b === 11 ? "c9" : null,
});

export function changeOf({ table, a, b }: Change): object {
  const large = a === 11 ? { text: LARGE } : null;
  switch (table) {
    case "sessions":
      return { title: `title ${a}`, runtimeState: large, activeRunId: [null, "r1"][b % 2] };
    case "runs":
      return runState(a, b);
    case "tool_calls":
      return { status: "ended", result: { value: large } };
    case "interactions":
      return promptState(a, b);
    case "journal":
      return { value: large ?? { a } };
    case "grants":
      return { uses: a, revokedAt: [null, 3][b % 2] };
    case "presence":
      return { until: a };
    default:
      return b % 2 ? {} : { createdAt: 1 + a };
  }
}

import type { AgentRegistry } from "./agent.ts";
import type { Callers } from "./callers.ts";
import type { LiveRun } from "./live-run.ts";
import type {
  Bus,
  Clock,
  Ids,
  InteractionRow,
  LendAccess,
  Log,
  RunRow,
  Scope,
  Store,
} from "./ports.ts";
import type { Presence } from "./presence.ts";
import type { ReadingTurns } from "./reading-turns.ts";
import type { Quotas, QuotaTable } from "./quotas.ts";
import type { RestingRuns } from "./resting-runs.ts";
import type { Secrets } from "./secrets.ts";
import type { Signals } from "./signals.ts";
import type { ToolRegistry } from "./tool.ts";
import type { WaitingDefaults } from "./waiting.ts";
import type { Writer } from "./writer.ts";

export interface CorePorts {
  store: Store;
  bus: Bus;
  clock: Clock;
  ids: Ids;
  scope: Scope<CallScope>;
  agents: AgentRegistry;
  tools: ToolRegistry;
  log: Log;
  /** Without it, what agents start cannot ask. */
  access?: LendAccess;
}

export interface CoreOptions {
  /** Names this process among those that share the store. */
  owner: string;
  host: string;
  defaultAgent?: string;
  /** How prompts wait that do not say it themselves. */
  defaults?: WaitingDefaults;
  /** Other processes use the same store: then nothing is taken for known because it was told here. */
  shared?: boolean;
  /** Forgets a waiting run at every prompt, so that every answer goes through replay. For tests. */
  alwaysOrphan?: boolean;
  /** Of how many runs that wait for people the closures are held. For tests. */
  mostResting?: number;
  /** What each caller may use. For tests. @default QUOTAS */
  quotaTable?: QuotaTable;
}

export const LEASE_MS = 15_000;
export const HEARTBEAT_MS = 5_000;
export const MAX_ATTEMPTS = 3;
/** How often a run may be entered without coming to rest, whatever it records on the way. */
export const MAX_LIVES = 8;

/** Which piece of a call is running: its handler (`path` empty), or a hook of one interaction. */
interface CallScope {
  callId: string;
  path: string;
  /** The interaction whose response the hook is looking at. */
  answering?: InteractionRow;
}

/** What the parts of the engine share. No map in it is a source of truth: the store is. */
export interface Env extends CorePorts {
  options: CoreOptions;
  writer: Writer;
  presence: Presence;
  signals: Signals;
  reading: ReadingTurns;
  callers: Callers;
  quotas: Quotas;
  /** Runs that this process holds in memory. */
  live: Map<string, LiveRun>;
  /** Those of them that wait for people. */
  resting: RestingRuns;
  secrets: Secrets;
  /** Runs that could not go on because the store failed; tried again with the next heartbeat. */
  stranded: Map<string, { byStore: boolean }>;
  /** Where a session's next prompt waits until the one before it is stored. */
  opening: Map<string, Promise<unknown>>;
  /** The same for calls that are made outside a turn, by session, and for grants that are used. */
  calling: Map<string, Promise<unknown>>;
  granting: Map<string, Promise<unknown>>;
  isStopping(): boolean;
  /** Set when the engine is put together: the parts call each other through these. */
  startNextTurn(sessionId: string): Promise<void>;
  stopTurn(sessionId: string, turnId: string, actorId: string): Promise<void>;
  enterRun(run: RunRow, how: "first" | "again"): void;
}

export const interactionKey = (id: string) => `interaction:${id}`;
export const callKey = (sessionId: string, callId: string) => `call:${sessionId}/${callId}`;
export const runKey = (runId: string) => `run:${runId}`;
/** Told when a call begins in a session, or its turn ends. */
export const callsKey = (sessionId: string) => `calls:${sessionId}`;
/** Names a call's journal. Session ids hold no slash, so two calls never share one. */
export const journalScope = (sessionId: string, callId: string) => `${sessionId}/${callId}`;

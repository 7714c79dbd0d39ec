import { createHash, randomBytes } from "node:crypto";
import {
  type AgentRuntime,
  type Core,
  type Ids,
  type LogSink,
  type OutgoingEvent,
  Quotas,
  type Subscription,
  type Watcher,
  type Who,
} from "../../src/core/index.ts";
import {
  type InteractionRecord,
  ProtocolError,
  type SessionRecord,
} from "../../src/protocol/index.ts";

export const ids: Ids = {
  next: () => randomBytes(16).toString("base64url"),
  digest: (text) => createHash("sha256").update(text).digest("hex"),
};

export const silentLog = { info: () => {}, warn: () => {}, error: () => {} };

export function fakeSession(id: string): SessionRecord {
  return {
    id,
    title: id,
    agent: "demo",
    permissionMode: "default",
    status: "idle",
    pendingCount: 0,
    lastSeq: 0,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
}

export function fakeInteraction(id: string): InteractionRecord {
  return {
    id,
    sessionId: "s1",
    toolCallId: "c1",
    toolName: "ask_user",
    status: "pending",
    waiting: "live",
    request: {
      toolCallId: "c1",
      interactionId: id,
      toolName: "ask_user",
      interactionType: "input",
      presentation: "tool",
      attempt: 1,
    },
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

/** A core for tests of entrances: one session `s1`, a log in memory, and a record of what was asked. */
export interface FakeCore extends Core {
  /** Every call that changes something, as `name:argument`. */
  readonly calls: string[];
  readonly presence: { who: Who; supported: boolean; enabled: boolean; open: boolean }[];
  readonly watchers: Set<Watcher>;
  readonly log: OutgoingEvent[];
  readonly prompts: InteractionRecord[];
  /** Writes to the log of `s1` and sends it to who follows it. */
  append(text: string): void;
  openSubscriptions(): number;
}

export function createFakeCore(overrides: Partial<Core> = {}): FakeCore {
  const calls: string[] = [];
  const log: OutgoingEvent[] = [];
  const sinks = new Set<LogSink>();
  const watchers = new Set<Watcher>();
  const presence: FakeCore["presence"] = [];
  const prompts: InteractionRecord[] = [];
  const demo = { id: "demo", name: "Demo", description: "", capabilities: {} } as AgentRuntime;

  function require(sessionId: string): SessionRecord {
    if (sessionId !== "s1")
      throw new ProtocolError("session_not_found", "There is no such session.");
    return { ...fakeSession("s1"), lastSeq: log.length };
  }

  const core: FakeCore = {
    calls,
    log,
    watchers,
    presence,
    prompts,
    append(text) {
      const seq = log.length + 1;
      const event = { sessionId: "s1", seq, json: JSON.stringify({ seq, type: "text", text }) };
      log.push(event);
      for (const sink of sinks) sink.send(event, true);
    },
    openSubscriptions: () => sinks.size,
    quotas: new Quotas({ now: () => Date.now(), timer: () => () => {} }),
    agents: { get: () => demo, list: () => [demo] },
    tools: { get: () => undefined, list: () => [] },
    async ask(_who, { prompt }) {
      calls.push(`ask:${prompt.prompt ?? ""}`);
      throw new ProtocolError("too_many", "Nothing can be asked here.");
    },
    async askAndWait(who, question) {
      return (await core.ask(who, question)).interaction;
    },
    decidedElsewhere: () => Promise.resolve(false),
    markHeard: () => Promise.resolve(),
    callEnd: () => Promise.resolve(undefined),
    keptState: () => Promise.resolve(null),
    async cancelInteraction(_who, id) {
      calls.push(`cancelInteraction:${id}`);
      throw new ProtocolError("interaction_not_found", "There is no such prompt.");
    },
    async createSession(_who, body) {
      calls.push(`createSession:${body.title ?? ""}`);
      return fakeSession("s1");
    },
    session: async (_who, id) => ({ session: require(id), logId: "log1" }),
    sessions: async () => ({ sessions: [fakeSession("s1")] }),
    async patchSession(_who, id, body) {
      calls.push(`patchSession:${id}`);
      return { ...require(id), ...body };
    },
    async deleteSession(_who, id) {
      require(id);
      calls.push(`deleteSession:${id}`);
      for (const watcher of watchers) watcher.sessionDeleted?.(id);
    },
    async events(_who, { sessionId, after = 0, limit }) {
      require(sessionId);
      const events = log.slice(after, after + limit).map(({ json }) => json);
      return { events, lastSeq: log.length, logId: "log1" };
    },
    async sendMessage(_who, id, { text, messageId }) {
      require(id);
      calls.push(`sendMessage:${text}`);
      return { messageId: messageId ?? "m1", after: log.length };
    },
    async cancel(_who, id) {
      require(id);
      calls.push(`cancel:${id}`);
      return { stopped: false };
    },
    async respond(_who, { interactionId, body, disabled }) {
      if (disabled) throw new ProtocolError("interaction_disabled", "The mode is off.");
      calls.push(`respond:${interactionId}:${body.action}`);
      return fakeInteraction(interactionId);
    },
    async respondToCall(_who, { toolCallId, body }) {
      calls.push(`respondToCall:${toolCallId}:${body.action}`);
      return fakeInteraction("i1");
    },
    interaction: async (_who, id) => fakeInteraction(id),
    async interactions(_who, { cursor = "0", limit }) {
      const from = Number(cursor);
      const next = from + limit < prompts.length ? String(from + limit) : undefined;
      return { interactions: prompts.slice(from, from + limit), next };
    },
    grants: async () => ({ grants: [] }),
    nodes: async () => [],
    async revokeGrant(_who, id) {
      calls.push(`revokeGrant:${id}`);
    },
    ownSession: async () => "s1",
    async callTool(_who, { sessionId, toolName, input }) {
      require(sessionId);
      calls.push(`callTool:${toolName}`);
      return { ok: true, result: input };
    },
    async subscribe(_who, { sessionId, after, tail }, sink, started): Promise<Subscription> {
      const session = require(sessionId);
      const from = tail === undefined ? (after ?? 0) : Math.max(0, log.length - tail);
      if (from > log.length) throw new ProtocolError("resync", "The cursor is ahead of the log.");
      started({ session, lastSeq: log.length, logId: "log1" });
      for (let at = from; at < log.length; at += 10) {
        for (const event of log.slice(at, at + 10)) sink.send(event, false);
        await sink.drained();
      }
      sinks.add(sink);
      return { close: () => sinks.delete(sink) };
    },
    watch(watcher) {
      watchers.add(watcher);
      return { close: () => watchers.delete(watcher) };
    },
    attend(who, mode) {
      const one = { who, ...mode, open: true };
      presence.push(one);
      return {
        set: (next) => Object.assign(one, next),
        stored: async () => {},
        close: () => {
          one.open = false;
        },
      };
    },
    start: async () => {},
    stop: async () => {},
    isHealthy: () => true,
    checkHealth: async () => {},
    ...overrides,
  };
  return core;
}

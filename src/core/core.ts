import { DEFAULTS, LIMITS } from "../protocol/index.ts";
import type { Core } from "./api.ts";
import { ask, askAndWait, ownSession } from "./asks.ts";
import { callTool, withdrawAbandoned } from "./call-runs.ts";
import { Callers } from "./callers.ts";
import { Deadlines } from "./deadlines.ts";
import {
  callKey,
  callsKey,
  type CoreOptions,
  type CorePorts,
  type Env,
  HEARTBEAT_MS,
  interactionKey,
  LEASE_MS,
  runKey,
} from "./env.ts";
import { grantNotFound, listGrants, revocation } from "./grants.ts";
import { Hub } from "./hub.ts";
import { findInteraction, listInteractions } from "./interactions.ts";
import type { BusMessage } from "./ports.ts";
import { Presence } from "./presence.ts";
import { readList } from "./read-list.ts";
import { readPage } from "./read-log.ts";
import { ReadingTurns } from "./reading-turns.ts";
import { Quotas } from "./quotas.ts";
import { toSessionRecord } from "./records.ts";
import { respondToCall } from "./respond-to-call.ts";
import { respond } from "./responses.ts";
import { cancelInteraction } from "./withdraw.ts";
import { cancelTurn, enterRun, recoverRuns, startNextTurn } from "./runs.ts";
import { sendMessage } from "./send-message.ts";
import { RestingRuns } from "./resting-runs.ts";
import { Secrets } from "./secrets.ts";
import {
  createSession,
  deleteSession,
  findSession,
  findSummary,
  patchSession,
  readableBy,
} from "./sessions.ts";
import { createSignals } from "./signals.ts";
import { type StoreHealth, watchStore } from "./watch-store.ts";
import { createWriter, LOST_RACE, untilCommitted } from "./writer.ts";

const DRAIN_MS = 4_000;

/** Puts the engine together over its ports. */
export function createCore(given: CorePorts & CoreOptions): Core {
  let stopping = false;
  const health: StoreHealth = { ok: true };
  const parts = { ...given, store: watchStore(given.store, health) };
  const env: Env = {
    ...parts,
    options: parts,
    writer: createWriter(parts),
    presence: new Presence(parts),
    signals: createSignals(),
    reading: new ReadingTurns(parts.clock),
    callers: new Callers(parts.clock),
    quotas: new Quotas(parts.clock, parts.quotaTable),
    live: new Map(),
    resting: new RestingRuns(parts.mostResting),
    secrets: new Secrets(),
    stranded: new Map(),
    opening: new Map(),
    calling: new Map(),
    granting: new Map(),
    isStopping: () => stopping,
    startNextTurn: (sessionId) => startNextTurn(env, sessionId),
    async stopTurn(sessionId, turnId, actorId) {
      await cancelTurn(env, actorId, sessionId, turnId);
    },
    enterRun: (run, how) => enterRun(env, run, how),
  };
  const hub = new Hub(env);
  const deadlines = new Deadlines(env);
  const unsubscribe = env.bus.subscribe((message) => hear(env, hub, deadlines, message));
  let stopHeart = () => {};
  let stopWaiting = () => {};

  function beat(): void {
    stopHeart = env.clock.timer(HEARTBEAT_MS, () => {
      // What was found broken is looked at again, also if nobody wants to write now.
      if (!health.ok) void env.store.health().catch(() => {});
      void heartbeat(env, hub, deadlines)
        .catch((error: unknown) => {
          // Who stops closes the store, perhaps before this beat is over.
          if (!stopping) env.log.warn({ error }, "a heartbeat failed");
        })
        .finally(() => {
          if (!stopping) beat();
        });
    });
  }

  return {
    agents: env.agents,
    tools: env.tools,
    quotas: env.quotas,
    createSession: (who, body) => createSession(env, who, body),
    async session(who, sessionId) {
      const summary = await findSummary(env, who, sessionId);
      return { session: toSessionRecord(summary), logId: summary.logId };
    },
    async sessions(who, { cursor, limit }) {
      const query = { cursor, limit, ...readableBy(who) };
      const page = await readList(env, who, query, (one) => env.store.sessions(one));
      return {
        sessions: page.rows.map(toSessionRecord),
        ...(page.next ? { next: page.next } : {}),
      };
    },
    patchSession: (who, sessionId, body) => patchSession(env, who, sessionId, body),
    deleteSession: (who, sessionId) => deleteSession(env, who, sessionId),
    async events(who, query, signal) {
      const { lastSeq, logId } = await findSession(env, who, query.sessionId);
      const limit = Math.min(query.limit, LIMITS.eventsPageMax);
      const events = await readPage(env, who.principalId, { ...query, limit }, signal);
      return { events, lastSeq, logId };
    },
    sendMessage: (who, sessionId, message) => sendMessage(env, who, sessionId, message),
    async cancel(who, sessionId, turnId) {
      await findSession(env, who, sessionId);
      return { stopped: await cancelTurn(env, who.principalId, sessionId, turnId) };
    },
    respond: (who, response) => respond(env, who, response),
    respondToCall: (who, response) => respondToCall(env, who, response),
    ask: (who, question) => ask(env, who, question),
    askAndWait: (who, question, signal) => askAndWait(env, who, question, signal),
    async keptState({ sessionId }) {
      return sessionId === null
        ? null
        : ((await env.store.session(sessionId))?.runtimeState ?? null);
    },
    ownSession: async (who) => who.sessionId ?? ownSession(env, who),
    cancelInteraction: (who, id) => cancelInteraction(env, who, id),
    interaction: (who, id, wait) => findInteraction(env, who, id, wait),
    interactions: (who, query) => listInteractions(env, who, query),
    grants: (who, query) => listGrants(env, who, query),
    async revokeGrant(who, grantId) {
      await untilCommitted(async () => {
        const grant = await env.store.grant(grantId);
        if (!grant || grant.revokedAt !== null) throw grantNotFound();
        const writes = [revocation(grant, env.clock.now(), who.principalId)];
        const result = await env.store.commit({ writes, events: [] });
        return result.ok ? undefined : LOST_RACE;
      });
    },
    callTool: (who, call) => callTool(env, who, call),
    subscribe: (who, query, sink, started) => hub.subscribe(who, query, sink, started),
    watch: (watcher) => hub.watch(watcher),
    attend: (who, mode) => env.presence.attend(who, mode),

    async start() {
      await env.presence.load();
      await recoverRuns(env);
      // Not awaited: after a long night there may be thousands, and people can be served meanwhile.
      void deadlines.keep();
      beat();
      if (!env.options.shared) stopWaiting = awaitCallers(env);
    },
    async stop({ drainMs = DRAIN_MS } = {}) {
      stopping = true;
      stopHeart();
      stopWaiting();
      deadlines.stop();
      env.callers.stop();
      await drain(env, drainMs);
      for (const run of env.live.values()) await run.rest().catch(() => {});
      for (const run of [...env.live.values()]) run.lose();
      await env.presence.flush();
      unsubscribe();
    },
    isHealthy: () => health.ok,
    checkHealth: () => env.store.health(),
  };
}

/** Those who waited for a call when the last process ended have as long as one who hung up. */
function awaitCallers(env: Env): () => void {
  let stop = () => {};
  const withdrawIn = (ms: number) => {
    stop = env.clock.timer(ms, () => {
      withdrawAbandoned(env).catch((error: unknown) => {
        env.log.warn({ error }, "calls that nobody waits for could not be withdrawn; tried again");
        if (!env.isStopping()) withdrawIn(HEARTBEAT_MS);
      });
    });
  };
  withdrawIn(DEFAULTS.callerGraceMs);
  return () => stop();
}

function hear(env: Env, hub: Hub, deadlines: Deadlines, message: BusMessage): void {
  if (message.type === "interaction") {
    env.live.get(message.row.runId)?.deliver(message.row);
    env.signals.fire(interactionKey(message.row.id));
    deadlines.notice(message.row);
  }
  if (message.type === "events") {
    for (const event of message.events ?? []) {
      if (event.type === "tool_result") {
        env.signals.fire(callKey(message.sessionId, event.payload.toolCallId));
      }
      if (event.type === "tool_call" || event.type === "turn_end") {
        env.signals.fire(callsKey(message.sessionId));
      }
    }
  }
  if (message.type === "run") {
    env.signals.fire(runKey(message.runId));
    void checkRun(env, message.runId).catch(() => {});
  }
  hub.hear(message);
}

/** Another process may have ended or taken over a run that we still hold. */
async function checkRun(env: Env, runId: string): Promise<void> {
  const held = env.live.get(runId);
  if (!held) return;
  const row = await env.store.run(runId);
  held.refresh(row);
}

async function heartbeat(env: Env, hub: Hub, deadlines: Deadlines): Promise<void> {
  await env.store.renew(env.options.owner, LEASE_MS);
  await recoverRuns(env);
  for (const run of [...env.live.values()]) {
    if (env.options.shared) {
      await checkRun(env, run.row.id);
      await run.lookAgain();
    }
    await run.rest();
    await run.forgetTries();
  }
  // The wall clock may have jumped, or the machine slept, and the armed timer knows nothing of it.
  await deadlines.keep();
  if (!env.options.shared) return;
  await env.presence.learn();
  await hub.lookAgain();
  env.signals.fireAll();
}

/** Lets hooks and steps that are running finish, for a while; what does not is run again later. */
async function drain(env: Env, drainMs: number): Promise<void> {
  const deadline = env.clock.now() + drainMs;
  const busy = () =>
    [...env.live.values()].some((run) => [...run.calls.values()].some((call) => call.active > 0));
  while (busy() && env.clock.now() < deadline) {
    await new Promise<void>((resolve) => void env.clock.timer(50, resolve));
  }
}

import { DEFAULTS, LIMITS } from "../protocol/index.ts";
import type { Core, CorePorts, CoreOptions } from "./api.ts";
import { closeDecidedElsewhere } from "./outside/decided-elsewhere.ts";
import { ask, askAndWait, type AskPorts, ownSession } from "./outside/ask.ts";
import { callEnd, callTool, type CallToolPorts, withdrawAbandoned } from "./outside/call-tool.ts";
import { Callers } from "./outside/callers.ts";
import { markHeard } from "./outside/heard.ts";
import { ChangeReader, LOOK_MS } from "./live/changes.ts";
import { Deadlines } from "./live/deadlines.ts";
import { grantNotFound, listGrants, revocation } from "./call/grants.ts";
import { every } from "./live/heart.ts";
import { Hub, type HubPorts } from "./live/hub.ts";
import { findInteraction, listInteractions } from "./session/interactions.ts";
import type { BusMessage, Changes, Clock, InteractionRow, RunRow } from "./ports.ts";
import { Presence } from "./live/presence.ts";
import { readList } from "./live/read-list.ts";
import { readPage } from "./live/read-log.ts";
import { ReadingTurns } from "./live/reading-turns.ts";
import { Quotas } from "./live/quotas.ts";
import { toNodeRecord, toSessionRecord } from "./session/records.ts";
import { respondToCall } from "./prompt/respond-to-call.ts";
import { respond } from "./respond.ts";
import { cancelInteraction } from "./outside/withdraw.ts";
import {
  cancelTurn,
  enterRun,
  recoverRuns,
  restartRuns,
  type RunPorts,
  startNextTurn,
  takeOverRuns,
} from "./run/runs.ts";
import { hearSteering, sendMessage } from "./turn/send-message.ts";
import { RestingRuns } from "./run/resting-runs.ts";
import { Secrets } from "./prompt/secrets.ts";
import {
  createSession,
  deleteSession,
  findSession,
  findSummary,
  patchSession,
  readableBy,
} from "./session/sessions.ts";
import { createSignals, interactionKey, callKey, runKey, callsKey } from "./live/signals.ts";
import { type StoreHealth, watchStore } from "./live/store-health.ts";
import { createWriter, LOST_RACE, untilCommitted } from "./writer.ts";
import { HEARTBEAT_MS, LEASE_MS, TAKEOVER_MS } from "./run/lease.ts";
import { NodeLease } from "./run/node-lease.ts";

const DRAIN_MS = 4_000;
/** For how long people can see that a node is gone. */
const FORGET_NODE_MS = 24 * 60 * 60 * 1_000;

/** All parts of the engine, put together here alone: each takes those that it names. */
interface Parts extends RunPorts, AskPorts, CallToolPorts, HubPorts, Pick<CorePorts, "sealing"> {
  options: CoreOptions;
}

/** Puts the engine together over its ports. */
export function createCore(given: CorePorts & CoreOptions): Core {
  let stopping = false;
  const health: StoreHealth = { ok: true };
  const ports = { ...given, store: watchStore(given.store, health), clock: storeClock(given) };
  const parts: Parts = {
    ...ports,
    options: ports,
    writer: createWriter(ports),
    presence: new Presence({ ...ports, options: ports }),
    signals: createSignals(),
    reading: new ReadingTurns(ports.clock),
    callers: new Callers({ ...ports, options: ports }),
    quotas: new Quotas(ports.clock, ports.quotaTable),
    live: new Map(),
    awaited: new Map(),
    resting: new RestingRuns(ports.mostResting),
    secrets: new Secrets(),
    stranded: new Map(),
    lease: new NodeLease(ports.clock, given.clock),
    opening: new Map(),
    calling: new Map(),
    granting: new Map(),
    isStopping: () => stopping,
    startNextTurn: (sessionId) => startNextTurn(parts, sessionId),
    async stopTurn(sessionId, turnId, actorId) {
      await cancelTurn(parts, actorId, sessionId, turnId);
    },
    enterRun: (run, how) => enterRun(parts, run, how),
  };
  const hub = new Hub(parts);
  const deadlines = new Deadlines(parts);
  const hearing: Hearing = { parts, hub, deadlines };
  const changes = new ChangeReader(parts, (found) => hearChanges(hearing, found));
  const unsubscribe = parts.bus.subscribe((message) => {
    // What a hint does not say is read, with everything else that has changed.
    const isVague = message.type === "interaction" && !message.row;
    if (message.type === "look" || isVague) void changes.look();
    else hear(hearing, message);
  });
  let stopLoops = () => {};
  let stopWaiting = () => {};

  function startLoops(): void {
    const loops = [
      // Alone: whatever else takes long, what we work on stays ours.
      every(parts, HEARTBEAT_MS, "a renewal of leases", async () => {
        // What was found broken is looked at again, also if nobody wants to write now.
        if (!health.ok) void parts.store.health().catch(() => {});
        const held = [...parts.live.values()].map(({ row: { id, epoch } }) => ({ id, epoch }));
        const renewed = parts.lease.renewing();
        await parts.store.renew(parts.options.owner, LEASE_MS, held);
        if (parts.options.shared) renewed();
      }),
      every(parts, HEARTBEAT_MS, "a heartbeat", () => heartbeat(parts, deadlines)),
    ];
    if (parts.options.shared) {
      const missed = missedNodes(parts);
      loops.push(
        every(parts, HEARTBEAT_MS, "a look at the other nodes", async () => {
          if (await missed()) stopWaiting = awaitCallers(parts, stopWaiting);
        }),
      );
      loops.push(every(parts, LOOK_MS, "a look for changes", () => changes.look()));
      // Alone, too: the runs of a node that is gone wait for nothing else that is looked at here.
      loops.push(every(parts, TAKEOVER_MS, "a takeover", () => takeOverRuns(parts)));
    }
    stopLoops = () => {
      for (const stop of loops) stop();
    };
  }

  return {
    agents: parts.agents,
    tools: parts.tools,
    quotas: parts.quotas,
    createSession: (who, body) => createSession(parts, who, body),
    async session(who, sessionId) {
      const summary = await findSummary(parts, who, sessionId);
      return { session: toSessionRecord(summary), logId: summary.logId };
    },
    async sessions(who, { cursor, limit }) {
      const query = { cursor, limit, ...readableBy(who) };
      const page = await readList(parts, who, query, (one) => parts.store.sessions(one));
      return {
        sessions: page.rows.map(toSessionRecord),
        ...(page.next ? { next: page.next } : {}),
      };
    },
    patchSession: (who, sessionId, body) => patchSession(parts, who, sessionId, body),
    deleteSession: (who, sessionId) => deleteSession(parts, who, sessionId),
    async events(who, query, gone) {
      const { lastSeq, logId } = await findSession(parts, who, query.sessionId);
      const limit = Math.min(query.limit, LIMITS.eventsPageMax);
      const events = await readPage(parts, who.principalId, { ...query, limit }, gone);
      return { events, lastSeq, logId };
    },
    sendMessage: (who, sessionId, message) => sendMessage(parts, who, sessionId, message),
    async cancel(who, sessionId, turnId) {
      await findSession(parts, who, sessionId);
      return { stopped: await cancelTurn(parts, who.principalId, sessionId, turnId) };
    },
    respond: (who, response) => respond(parts, who, response),
    respondToCall: (who, response) => respondToCall(parts, who, response),
    ask: (who, question) => ask(parts, who, question),
    decidedElsewhere: (who, requestId, end) => closeDecidedElsewhere(parts, who, requestId, end),
    askAndWait: (who, question, gone, waitMs) => askAndWait(parts, who, question, gone, waitMs),
    markHeard: (who, interactionId) => markHeard(parts, who, interactionId),
    async keptState({ sessionId }) {
      return sessionId === null
        ? null
        : ((await parts.store.session(sessionId))?.runtimeState ?? null);
    },
    ownSession: async (who) => who.sessionId ?? ownSession(parts, who),
    cancelInteraction: (who, id) => cancelInteraction(parts, who, id),
    interaction: (who, id, wait) => findInteraction(parts, who, id, wait),
    interactions: (who, query) => listInteractions(parts, who, query),
    grants: (who, query) => listGrants(parts, who, query),
    async revokeGrant(who, grantId) {
      await untilCommitted(async () => {
        const grant = await parts.store.grant(grantId);
        if (!grant || grant.revokedAt !== null) throw grantNotFound();
        const writes = [revocation(grant, parts.clock.now(), who.principalId)];
        const result = await parts.store.commit({ writes, events: [] });
        return result.ok ? undefined : LOST_RACE;
      });
    },
    callTool: (who, call) => callTool(parts, who, call),
    callEnd: (who, call, wait) => callEnd(parts, who, call, wait),
    subscribe: (who, query, sink, started) => hub.subscribe(who, query, sink, started),
    watch: (watcher) => hub.watch(watcher),
    attend: (who, mode) => parts.presence.attend(who, mode),

    async start() {
      await join(parts);
      if (parts.options.shared) await changes.look();
      await recoverRuns(parts);
      // Not awaited: after a long night there may be thousands, and people can be served meanwhile.
      void deadlines.keep();
      if (parts.options.shared) parts.lease.renewing()();
      startLoops();
      stopWaiting = awaitCallers(parts);
    },
    async stop({ drainMs = DRAIN_MS } = {}) {
      stopping = true;
      stopLoops();
      stopWaiting();
      deadlines.stop();
      parts.callers.stop();
      await drain(parts, drainMs);
      for (const run of parts.live.values()) await run.rest().catch(() => {});
      for (const run of [...parts.live.values()]) run.lose();
      await parts.presence.flush();
      unsubscribe();
      await parts.store.leave(parts.options.owner).catch(() => {});
    },
    async nodes() {
      const now = parts.clock.now();
      return (await parts.store.nodes()).map((row) => toNodeRecord(row, now));
    },
    isHealthy: () => health.ok,
    checkHealth: () => parts.store.health(),
  };
}

/** One of the processes that share the store, or the only one: then nobody else's rows last. */
async function join({ options, presence, sealing, store }: Parts): Promise<void> {
  const { node = { name: options.owner, host: "", version: "" }, owner, shared } = options;
  if (!shared) await presence.inherit();
  const facts = { id: owner, ...node, publicKey: sealing?.publicKey ?? "" };
  await store.join(facts, shared ? FORGET_NODE_MS : 0);
  if (shared) await presence.learn();
}

/** Says whether a node that was there is gone. */
function missedNodes({ clock, store }: Parts): () => Promise<boolean> {
  let before: string[] = [];
  return async () => {
    const now = clock.now();
    const nodes = (await store.nodes()).filter((node) => toNodeRecord(node, now).live);
    const ids = nodes.map(({ id }) => id);
    const isMissing = before.some((id) => !ids.includes(id));
    before = ids;
    return isMissing;
  };
}

/** Those who waited for a call with a process that is gone have as long as one who hung up. */
function awaitCallers(parts: Parts, stopBefore = () => {}): () => void {
  stopBefore();
  let stop = () => {};
  const withdrawIn = (ms: number) => {
    stop = parts.clock.timer(ms, () => {
      withdrawAbandoned(parts).catch((error: unknown) => {
        parts.log.warn(
          { error },
          "calls that nobody waits for could not be withdrawn; tried again",
        );
        if (!parts.isStopping()) withdrawIn(HEARTBEAT_MS);
      });
    });
  };
  withdrawIn(DEFAULTS.callerGraceMs);
  return () => stop();
}

/** Those here who want to know what has changed. */
interface Hearing {
  parts: Parts;
  hub: Hub;
  deadlines: Deadlines;
}

function hear({ parts, hub, deadlines }: Hearing, message: BusMessage): void {
  if (message.type === "interaction") {
    if (message.row) hearPrompt({ parts, hub, deadlines }, message.row, message.run);
    return;
  }
  if (message.type === "events") {
    for (const event of message.events ?? []) {
      if (event.type === "tool_result") {
        parts.signals.fire(callKey(message.sessionId, event.payload.toolCallId));
      }
      if (event.type === "tool_call" || event.type === "turn_end") {
        parts.signals.fire(callsKey(message.sessionId));
      }
    }
    if (!message.events) fireCallsOf(parts, message.sessionId);
  }
  if (message.type === "run") {
    parts.signals.fire(runKey(message.runId));
    void checkRun(parts, message.runId).catch(() => {});
  }
  hub.hear(message);
}

function hearPrompt({ parts, hub, deadlines }: Hearing, row: InteractionRow, run?: RunRow): void {
  parts.live.get(row.runId)?.deliver(row, run);
  parts.signals.fire(interactionKey(row.id));
  deadlines.notice(row);
  hub.hearPrompt(row);
}

/** Whatever was not heard of when it happened is seen here, a moment later. */
function hearChanges(hearing: Hearing, changes: Changes): void {
  const { parts, hub } = hearing;
  // First who executes what: then nobody goes on with a run that is another's by now.
  for (const run of changes.runs) hearRun(parts, run);
  const isFree = ({ status, owner }: RunRow) => status === "live" && owner === null;
  if (changes.runs.some(isFree)) void recoverRuns(parts).catch(() => {});
  for (const row of changes.interactions) hearPrompt(hearing, row);
  for (const session of changes.sessions) {
    hub.hearSession(session);
    const running = session.activeRunId === null ? undefined : parts.live.get(session.activeRunId);
    running?.hearSettings(session.settings);
    fireCallsOf(parts, session.id);
  }
  if (changes.isLost) void lookAtEverything(hearing).catch(() => {});
}

function hearRun(parts: Parts, row: RunRow): void {
  parts.live.get(row.id)?.refresh(row);
  parts.signals.fire(runKey(row.id));
  if (row.status !== "queued" || row.kind !== "turn") return;
  hearQueued(parts, row).catch((error: unknown) => {
    parts.log.warn({ error, runId: row.id }, "a message that came to another node was not taken");
  });
}

/** A message that was stored at another node may be for the turn that runs here, or start one here. */
async function hearQueued(parts: Parts, row: RunRow): Promise<void> {
  await hearSteering(parts, row);
  await startNextTurn(parts, row.sessionId);
}

function fireCallsOf({ signals }: Parts, sessionId: string): void {
  signals.fire(callsKey(sessionId));
  signals.fireAll(callKey(sessionId, ""));
}

/** Another process may have ended or taken over a run that we still hold. */
async function checkRun(parts: Parts, runId: string): Promise<void> {
  const held = parts.live.get(runId);
  if (!held) return;
  const row = await parts.store.run(runId);
  held.refresh(row);
}

/** It is not known what has changed: everybody looks at what they follow. */
async function lookAtEverything({ parts, hub }: Hearing): Promise<void> {
  for (const run of [...parts.live.values()]) {
    await checkRun(parts, run.row.id);
    await run.lookAgain();
  }
  await hub.lookAgain();
  parts.signals.fireAll();
}

async function heartbeat(parts: Parts, deadlines: Deadlines): Promise<void> {
  parts.presence.storeAgain();
  // Where others share the store, takeovers have a loop of their own.
  if (!parts.options.shared) await takeOverRuns(parts);
  await restartRuns(parts);
  for (const run of [...parts.live.values()]) {
    await run.rest();
    await run.forgetTries();
  }
  // The wall clock may have jumped, or the machine slept, and the armed timer knows nothing of it.
  await deadlines.keep();
  if (parts.options.shared) await parts.presence.learn();
}

/** The time is the store's, which is the same at every node; how long something takes is measured here. */
function storeClock({ store, clock }: CorePorts): Clock {
  return {
    now: () => store.clock.now(),
    timer: (ms, callback) => clock.timer(ms, callback),
    turn: () => clock.turn(),
  };
}

/** Lets hooks and steps that are running finish, for a while; what does not is run again later. */
async function drain(parts: Parts, drainMs: number): Promise<void> {
  const deadline = parts.clock.now() + drainMs;
  const busy = () =>
    [...parts.live.values()].some((run) =>
      [...run.calls.values()].some((call) => call.activity.running > 0),
    );
  while (busy() && parts.clock.now() < deadline) {
    await new Promise<void>((resolve) => void parts.clock.timer(50, resolve));
  }
}

import { dirname } from "node:path";
import type { Clock, Log, Store } from "../../core/ports.ts";
import { applyCommit } from "./apply-commit.ts";
import { type HeadKeeper, openHeadKeeper } from "./audit/head-keeper.ts";
import type { Database } from "./database.ts";
import { encodeCommit } from "./encode-commit.ts";
import { closedStore, heldStore, isBusy, isUnavailable, toUnavailable } from "./failures.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openDatabase } from "./open-database.ts";
import { readCall, readCalls, readJournal, readJournalEntry } from "./queries/calls.ts";
import { readEvents, readEventTexts } from "./queries/events.ts";
import { readGrant, readGrantPage, readGrants } from "./queries/grants.ts";
import { probe } from "./queries/health.ts";
import * as interactions from "./queries/interactions.ts";
import {
  readBudgetOpenCount,
  readOpenCount,
  readOpenInteractions,
} from "./queries/open-interactions.ts";
import * as people from "./queries/people.ts";
import * as runs from "./queries/runs.ts";
import {
  readBudgetSessionCount,
  readSession,
  readSessions,
  readSummary,
} from "./queries/sessions.ts";
import { startFailure } from "./start-failure.ts";

interface SqliteStoreOptions {
  /** A file, or `:memory:`. */
  path: string;
  /** Decides leases and deadlines. */
  clock: Clock;
  /**
   * Says that no other process uses this database, as the holder of the data directory knows: the
   * leases of whoever ran before are void at once, without waiting for them to lapse, and the heads
   * of the audit are kept in a file beside the database.
   *
   * @default false
   */
  exclusive?: boolean;
  /** Hears when the heads of the audit cannot be kept, or do not agree with the database. */
  log?: Log;
}

/**
 * The embedded store. Writes of one turn of the loop share one transaction, which is on disk before
 * any of them resolves; reads are answered at once from what is committed. Throws when the file
 * cannot be opened, was written by a newer version, or cannot be made durable.
 */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  try {
    return open(options);
  } catch (error) {
    if (isBusy(error)) throw heldStore(options.path, error);
    throw startFailure(dirname(options.path), error);
  }
}

function open({ path, clock, exclusive = false, log }: SqliteStoreOptions): Store {
  const database = openDatabase(path);
  if (!exclusive) return createSqliteStore(database, clock);
  try {
    runs.releaseLeases(database);
    const heads = path === ":memory:" ? undefined : openHeadKeeper({ database, path, clock, log });
    return createSqliteStore(database, clock, heads);
  } catch (error) {
    database.close();
    throw error;
  }
}

export function createSqliteStore(database: Database, clock: Clock, heads?: HeadKeeper): Store {
  const writer = createGroupCommit(database, heads);
  let closed = false;

  async function read<Result>(query: () => Result): Promise<Result> {
    if (closed) throw closedStore();
    try {
      return query();
    } catch (error) {
      throw isUnavailable(error) ? toUnavailable(error) : error;
    }
  }

  return {
    async commit(commit) {
      const encoded = encodeCommit(commit);
      return writer.write(
        encoded.bytes,
        () => applyCommit(database, encoded, heads),
        commit.decided?.bind(commit),
      );
    },
    claim: (by) => writer.write(0, () => runs.claimRuns(database, by, clock.now())),
    renew: (owner, leaseMs) =>
      writer.write(0, () => runs.renewLeases(database, owner, clock.now() + leaseMs)),

    due: (limit) => read(() => interactions.readDue(database, clock.now(), limit)),
    nextDeadline: () => read(() => interactions.readNextDeadline(database)),
    startable: (limit) => read(() => runs.readStartable(database, limit)),

    session: (id) => read(() => readSession(database, id)),
    summary: (id) => read(() => readSummary(database, id)),
    sessions: (query) => read(() => readSessions(database, query)),
    events: (query) => read(() => readEvents(database, query)),
    eventTexts: (query) => read(() => readEventTexts(database, query)),
    run: (id) => read(() => runs.readRun(database, id)),
    queuedRuns: (sessionId) => read(() => runs.readQueuedRuns(database, sessionId)),
    activeRuns: (sessionId) => read(() => runs.readActiveRuns(database, sessionId)),
    activeCallRuns: (query) => read(() => runs.readActiveCallRuns(database, query)),
    call: (sessionId, id) => read(() => readCall(database, sessionId, id)),
    calls: (runId) => read(() => readCalls(database, runId)),
    journal: (scopeId) => read(() => readJournal(database, scopeId)),
    journalEntry: (scopeId, key) => read(() => readJournalEntry(database, scopeId, key)),
    interaction: (id) => read(() => interactions.readInteraction(database, id)),
    interactionsOfCall: (sessionId, callId) =>
      read(() => interactions.readInteractionsOfCall(database, sessionId, callId)),
    orphans: (query) => read(() => interactions.readOrphans(database, query)),
    openInteractions: (query) => read(() => readOpenInteractions(database, query)),
    openCount: (sessionId) => read(() => readOpenCount(database, sessionId)),
    budgetOpenCount: (budgetId) => read(() => readBudgetOpenCount(database, budgetId)),
    budgetSessionCount: (budgetId, since) =>
      read(() => readBudgetSessionCount(database, budgetId, since)),
    response: (interactionId, id) =>
      read(() => interactions.readResponse(database, interactionId, id)),
    grants: (query) => read(() => readGrants(database, query, clock.now())),
    grantPage: (query) => read(() => readGrantPage(database, query, clock.now())),
    grant: (id) => read(() => readGrant(database, id)),
    credential: (hash) => read(() => people.readCredential(database, hash)),
    credentialById: (tokenId) => read(() => people.readCredentialById(database, tokenId)),
    tokens: () => read(() => people.readTokens(database)),
    people: () => read(() => people.readPeople(database)),
    principal: (id) => read(() => people.readPrincipal(database, id)),

    // In a transaction alone: a probe that finds the disk full takes no commit with it.
    health: () => writer.write(Infinity, () => probe(database)),
    async close() {
      if (closed) return;
      closed = true;
      writer.close();
      heads?.close();
      database.close();
    },
  };
}

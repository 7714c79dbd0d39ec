import { dirname } from "node:path";
import type { Clock, Log, Store, Table, Tables } from "../../core/ports.ts";
import { applyCommit, type Parts, touchesShared } from "./apply-commit.ts";
import { type HeadKeeper, openHeadKeeper } from "./audit/head-keeper.ts";
import { ChangedRows } from "./changed-rows.ts";
import type { Database } from "./database.ts";
import { encodeCommit } from "./encode-commit.ts";
import { closedStore, heldStore, isBusy, isUnavailable, toUnavailable } from "./failures.ts";
import type { Most } from "./generations.ts";
import { createGroupCommit, type Unwritten } from "./group-commit.ts";
import { OpenCounts } from "./open-counts.ts";
import { openDatabase } from "./open-database.ts";
import { readJournal } from "./queries/calls.ts";
import { readEvents, readEventTexts } from "./queries/events.ts";
import { readGrantPage, readGrants } from "./queries/grants.ts";
import { probe } from "./queries/health.ts";
import * as interactions from "./queries/interactions.ts";
import { readInteractionsBeginning } from "./queries/interactions-beginning.ts";
import { findOrphans } from "./queries/orphans.ts";
import { readOpenInteractions } from "./queries/open-interactions.ts";
import { Nodes } from "./queries/nodes.ts";
import * as people from "./queries/people.ts";
import * as runs from "./queries/runs.ts";
import { findSummary, readBudgetSessionCount, readSessions } from "./queries/sessions.ts";
import { activeRuns, callsOfRun, openPrompts, promptsOfCall, queuedTurns } from "./row-lists.ts";
import { RowMemory } from "./row-memory.ts";
import { placesOf } from "./rows.ts";
import { startFailure } from "./start-failure.ts";
import { UnwrittenEvents } from "./unwritten-events.ts";

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
  if (!exclusive) return createSqliteStore(database, clock, { isShared: path !== ":memory:" });
  try {
    runs.releaseLeases(database);
    const heads = path === ":memory:" ? undefined : openHeadKeeper({ database, path, clock, log });
    return createSqliteStore(database, clock, { heads });
  } catch (error) {
    database.close();
    throw error;
  }
}

interface Sharing {
  heads?: HeadKeeper | undefined;
  /**
   * Whether other processes write sessions, runs and prompts to the same database; else the store
   * keeps in memory what is being worked with.
   *
   * @default false
   */
  isShared?: boolean;
  /** How much of each table a generation holds. @default 2,048 rows of 2 MiB */
  remembered?: Most;
}

export function createSqliteStore(
  database: Database,
  clock: Clock,
  { heads, isShared = false, remembered }: Sharing = {},
): Store {
  const memory = new RowMemory(database, remembered);
  const counts = new OpenCounts(database);
  const events = new UnwrittenEvents(database);
  const changed = new ChangedRows();
  const parts: Parts = { database, memory, events, counts, changed, raised: [] };
  const nodes = new Nodes(database);
  const writer = createGroupCommit(database, createUnwritten(parts, heads), isShared);
  let closed = false;

  /** Answers from the memory, which has what is decided and not written too. */
  async function recall<Result>(look: () => Result): Promise<Result> {
    if (closed) throw closedStore();
    try {
      if (isShared) memory.forget();
      return look();
    } catch (error) {
      throw isUnavailable(error) ? toUnavailable(error) : error;
    }
  }

  /** Answers from the database, when that has everything that is decided of these tables. */
  async function read<Result>(tables: readonly Table[], query: () => Result): Promise<Result> {
    while (memory.holds(tables)) await writer.settled();
    return recall(query);
  }

  const readLog = async <Result>(query: () => Result): Promise<Result> => {
    while (!events.isEmpty) await writer.settled();
    return recall(query);
  };

  const countOpen = <Result>(look: () => Result): Promise<Result> =>
    recall(() => {
      if (!counts.isKnown || isShared) counts.count(memory);
      return look();
    });

  const direct = <Result>(bytes: number, run: () => Result) =>
    writer.write({ bytes, isDirect: true, run });

  return {
    clock,
    async commit(commit) {
      const encoded = encodeCommit(commit);
      return writer.write({
        bytes: encoded.bytes,
        isDirect: touchesShared(encoded),
        run: () => applyCommit(parts, encoded),
        decided: commit.decided?.bind(commit),
      });
    },
    claim: (by) =>
      direct(0, () => {
        const claimed = runs.claimRuns(database, by, clock.now());
        const ids = new Set<unknown>(claimed.map(({ id }) => id));
        if (ids.size > 0) memory.of("runs").forgetRows((run) => ids.has(run[RUN.id]));
        for (const { id } of claimed) changed.add("runs", id);
        return claimed;
      }),
    renew: (owner, leaseMs, held) =>
      direct(0, () => {
        runs.renewLeases(database, owner, clock.now() + leaseMs, held);
        memory.of("runs").forgetRows((run) => run[RUN.owner] === owner);
        nodes.seen(owner, clock.now());
      }),

    due: (limit) => read(PROMPTS, () => interactions.readDue(database, clock.now(), limit)),
    nextDeadline: () =>
      read(PROMPTS, () => {
        const at = interactions.readNextDeadline(database);
        return at === null ? null : Math.max(0, at - clock.now());
      }),
    startable: (limit, ability) =>
      read(RUNS, () => runs.readStartable(database, limit, clock.now(), ability)),
    changes: (after) =>
      read(ALL, () => {
        const { sessions, runs: ofRuns, interactions: prompts, ...rest } = changed.since(after);
        return {
          ...rest,
          sessions: findAll(memory, "sessions", sessions),
          runs: findAll(memory, "runs", ofRuns),
          interactions: findAll(memory, "interactions", prompts),
        };
      }),

    join: (node, forgetMs) => direct(0, () => nodes.join(node, forgetMs, clock.now())),
    leave: (nodeId) =>
      direct(0, () => {
        nodes.leave(nodeId, clock.now());
        memory.of("runs").forgetRows((run) => run[RUN.owner] === nodeId);
      }),
    nodes: () => recall(() => nodes.all()),
    node: (id) => recall(() => nodes.find(id)),
    presence: () => recall(() => nodes.presence()),

    session: (id) => recall(() => memory.of("sessions").find(id)),
    summary: (id) => recall(() => findSummary(memory, id)),
    sessions: (query) => read(ALL, () => readSessions(database, query)),
    events: (query) => readLog(() => readEvents(database, query)),
    eventTexts: (query) => readLog(() => readEventTexts(database, query)),
    run: (id) => recall(() => memory.of("runs").find(id)),
    queuedRuns: (sessionId) => recall(() => memory.of("runs").list(queuedTurns, sessionId)),
    activeRuns: (sessionId) => recall(() => memory.of("runs").list(activeRuns, sessionId)),
    activeCallRuns: (query) => read(RUNS, () => runs.readActiveCallRuns(database, query)),
    call: (sessionId, id) => recall(() => memory.of("tool_calls").find([sessionId, id])),
    calls: (runId) => recall(() => memory.of("tool_calls").list(callsOfRun, runId)),
    journal: (scopeId) => read(["journal"], () => readJournal(database, scopeId)),
    journalEntry: (scopeId, key) => recall(() => memory.of("journal").find([scopeId, key])),
    interaction: (id) => recall(() => memory.of("interactions").find(id)),
    interactionsOfCall: (sessionId, callId) =>
      recall(() => memory.of("interactions").list(promptsOfCall, sessionId, callId)),
    orphans: (query) => recall(() => findOrphans(memory, query)),
    openInteractions: (query) => read(PROMPTS, () => readOpenInteractions(database, query)),
    interactionsBeginning: (query) =>
      read(PROMPTS, () => readInteractionsBeginning(database, query)),
    openCount: (sessionId) =>
      sessionId === undefined
        ? countOpen(() => counts.total())
        : recall(() => memory.of("interactions").count(openPrompts, sessionId)),
    budgetOpenCount: (budgetId) =>
      countOpen(() => (budgetId === undefined ? counts.ofBudgets() : counts.ofBudget(budgetId))),
    budgetSessionCount: (budgetId, since) =>
      read(["sessions"], () => readBudgetSessionCount(database, budgetId, since)),
    response: (interactionId, id) => recall(() => memory.of("responses").find([interactionId, id])),
    grants: (query) => recall(() => readGrants(database, query, clock.now())),
    grantPage: (query) => recall(() => readGrantPage(database, query, clock.now())),
    grant: (id) => recall(() => memory.of("grants").find(id)),
    credential: (hash) => recall(() => people.readCredential(database, hash)),
    credentialById: (tokenId) => recall(() => people.readCredentialById(database, tokenId)),
    tokens: () => recall(() => people.readTokens(database)),
    people: () => recall(() => people.readPeople(database)),
    principal: (id) => recall(() => memory.of("principals").find(id)),

    // In a transaction alone: a probe that finds the disk full takes no commit with it.
    health: () => direct(Infinity, () => probe(database)),
    async close() {
      if (closed) return;
      closed = true;
      writer.close();
      heads?.close();
      database.close();
    },
  };
}

const RUN = placesOf("runs");

function findAll<T extends Table>(memory: RowMemory, table: T, ids: Set<string>): Tables[T][] {
  return [...ids].flatMap((id) => memory.of(table).find(id) ?? []);
}

const PROMPTS: readonly Table[] = ["interactions", "sessions"];
const RUNS: readonly Table[] = ["runs", "sessions"];
const ALL: readonly Table[] = ["runs", "interactions", "sessions"];

function createUnwritten(
  { memory, events, counts, raised }: Parts,
  heads: HeadKeeper | undefined,
): Unwritten {
  const undone = () => {
    memory.forget();
    counts.forget();
    events.clear();
    raised.length = 0;
  };
  return {
    get isEmpty() {
      return memory.isEmpty && events.isEmpty;
    },
    write() {
      memory.write();
      events.write();
      memory.keep();
      events.clear();
      for (const { sessionId, from, to } of raised) heads?.raise(sessionId, from, to);
      raised.length = 0;
    },
    committed: () => heads?.committed(),
    rolledBack() {
      undone();
      heads?.rolledBack();
    },
    undone,
    setCareful: (isCareful) => (memory.isCareful = isCareful),
  };
}

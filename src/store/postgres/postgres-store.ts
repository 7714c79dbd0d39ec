import type { Store, Table, Tables } from "../../core/ports.ts";
import { closedStore } from "./failures.ts";
import * as changes from "./queries/changes.ts";
import { readEventTexts } from "./queries/events.ts";
import * as grants from "./queries/grants.ts";
import * as interactions from "./queries/interactions.ts";
import * as nodes from "./queries/nodes.ts";
import * as people from "./queries/people.ts";
import * as runs from "./queries/runs.ts";
import * as sessions from "./queries/sessions.ts";
import type { Reader } from "./reader.ts";
import { fromRow, fromRows, refuseNul } from "./rows.ts";
import { whereKey } from "./sql/table-columns.ts";
import type { StoreClock } from "./store-clock.ts";
import type { Writer } from "./writer.ts";

interface Parts {
  reader: Reader;
  /** For what must not wait behind anybody's reading: leases, nodes. */
  control: Reader;
  writer: Writer;
  clock: StoreClock;
  /** Ends the connections. */
  end: () => Promise<void>;
}

const PROBE = /* sql */ `INSERT INTO beckon.writers (id, batch, seen_at)
  VALUES ('health', 0, beckon.beckon_now())
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;
const JOURNAL = "SELECT * FROM beckon.journal WHERE scope_id = $1 ORDER BY key";

/** The store on PostgreSQL; any number of processes may share one. */
export function createPostgresStore({ reader, control, writer, clock, end }: Parts): Store {
  let closed = false;

  /** Each method of the store: refuses when it is closed, and text that PostgreSQL cannot hold. */
  function guarded<Given extends unknown[], Result>(
    work: (...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return async (...given) => {
      if (closed) throw closedStore();
      for (const value of given) {
        refuseNul(value !== null && typeof value === "object" ? Object.values(value) : [value]);
      }
      return work(...given);
    };
  }

  const find = <T extends Table>(table: T, ...id: string[]): Promise<Tables[T] | null> =>
    findRow(reader, table, id);

  return {
    clock,
    commit: async (commit) => {
      if (closed) throw closedStore();
      return writer.commit(commit);
    },
    claim: guarded((by) => runs.claimRuns(control, by)),
    renew: guarded(async (owner, leaseMs, held) => {
      await Promise.all([
        nodes.renewLeases(control, owner, leaseMs, held),
        changes.forgetChanges(control),
      ]);
    }),
    due: guarded((limit) => interactions.readDue(reader, limit)),
    nextDeadline: guarded(() => interactions.readNextDeadline(reader)),
    startable: guarded((limit, ability) => runs.readStartable(reader, limit, ability)),
    changes: guarded(changes.createChangeReader(reader)),

    join: guarded((node, forgetMs) => nodes.joinNodes(control, node, forgetMs)),
    leave: guarded((nodeId) => nodes.leaveNodes(control, nodeId)),
    nodes: guarded(() => nodes.readNodes(reader)),
    node: guarded((id) => nodes.readNode(reader, id)),
    presence: guarded(() => nodes.readPresence(reader)),

    session: guarded((id) => find("sessions", id)),
    summary: guarded(sessions.createSummaryReader(reader)),
    sessions: guarded((query) => sessions.readSessions(reader, query)),
    events: guarded(async (query) =>
      (await readEventTexts(reader, query)).map(({ json }) => JSON.parse(json)),
    ),
    eventTexts: guarded((query) => readEventTexts(reader, query)),
    run: guarded((id) => find("runs", id)),
    queuedRuns: guarded((sessionId) => runs.readQueuedRuns(reader, sessionId)),
    activeRuns: guarded((sessionId) => runs.readActiveRuns(reader, sessionId)),
    activeCallRuns: guarded((query) => runs.readActiveCallRuns(reader, query)),
    call: guarded((sessionId, id) => find("tool_calls", sessionId, id)),
    calls: guarded((runId) => runs.readCalls(reader, runId)),
    journal: guarded(async (scopeId) => fromRows("journal", await reader.read(JOURNAL, [scopeId]))),
    journalEntry: guarded((scopeId, key) => find("journal", scopeId, key)),
    interaction: guarded((id) => find("interactions", id)),
    interactionsOfCall: guarded((sessionId, callId) =>
      interactions.readPromptsOfCall(reader, sessionId, callId),
    ),
    orphans: guarded((query) => interactions.readOrphans(reader, query)),
    openInteractions: guarded((query) => interactions.readOpenInteractions(reader, query)),
    interactionsBeginning: guarded((query) =>
      interactions.readInteractionsBeginning(reader, query),
    ),
    openCount: guarded((sessionId) => interactions.readOpenCount(reader, sessionId)),
    budgetOpenCount: guarded((budgetId) => interactions.readBudgetOpenCount(reader, budgetId)),
    budgetSessionCount: guarded((budgetId, since) =>
      sessions.readBudgetSessionCount(reader, budgetId, since),
    ),
    response: guarded((interactionId, id) => find("responses", interactionId, id)),
    grants: guarded((query) => grants.readGrants(reader, query)),
    grantPage: guarded((query) => grants.readGrantPage(reader, query)),
    grant: guarded((id) => find("grants", id)),
    credential: guarded((hash) => people.readCredential(reader, hash)),
    credentialById: guarded((tokenId) => people.readCredentialById(reader, tokenId)),
    tokens: guarded(() => people.readTokens(reader)),
    people: guarded(() => people.readPeople(reader)),
    principal: guarded((id) => find("principals", id)),

    health: guarded(async () => void (await control.read(PROBE))),
    async close() {
      if (closed) return;
      closed = true;
      await writer.close();
      await end();
    },
  };
}

async function findRow<T extends Table>(
  reader: Reader,
  table: T,
  id: readonly string[],
): Promise<Tables[T] | null> {
  const sql = `SELECT * FROM beckon.${table} WHERE ${whereKey(table, "$1", "$2")}`;
  const [row] = await reader.read(sql, id);
  return row ? fromRow(table, row) : null;
}

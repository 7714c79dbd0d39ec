import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Client } from "pg";
import { createDatabase, withClient } from "../../../test/support/postgres/database.ts";
import { type PostgresServer, startPostgres } from "../../../test/support/postgres/server.ts";
import { type Store, StoreUnavailable } from "../../core/ports.ts";
import { interaction, response } from "../../testing/store-contract/interaction-rows.ts";
import { run } from "../../testing/store-contract/rows.ts";
import { addSession, textEvent } from "../../testing/store-contract/subject.ts";
import { commit, insert, update, write } from "../../testing/store-contract/writes.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const CUT = /* sql */ `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;
/** Those that wait for a lock. */
const WAITING = /* sql */ `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let url: string;
let store: Store;
let trips = 0;

async function openStore(timeoutMs?: number): Promise<Store> {
  const countTrip = (): void => void trips++;
  return (await openPostgresStore({ url, timeoutMs, poolSize: 4, countTrip })).store;
}

async function untilSomebodyWaits(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ waiting: number }>(WAITING);
    if (rows[0]!.waiting > 0) return;
  }
}

const seqsOf = async (sessionId: string) =>
  (await store.events({ sessionId, limit: 1_000 })).map(({ seq }) => seq);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

beforeAll(async () => {
  url = await createDatabase();
});
let sessions = 0;
let sessionId: string;
beforeEach(async () => {
  store = await openStore();
  sessionId = `s${++sessions}`;
  await addSession(store, sessionId);
});
afterEach(async () => {
  await store.close();
});

describe("a connection that is cut", () => {
  test("between two uses is made again, and nobody notices", async () => {
    await withClient(url, (client) => client.query(CUT));
    expect(await store.session(sessionId)).toMatchObject({ id: sessionId });
    await commit(store, { sessionId, events: [textEvent("e1")] });
    await store.renew("n", 5);
  });

  test("in the middle of commits loses none that was told to be stored, and stores none twice", async () => {
    const results = await withClient(url, async (client) => {
      const given = upTo(60).map(async (n) => {
        await new Promise(setImmediate);
        return store.commit({ sessionId, writes: [], events: [textEvent(`e${n}`)] });
      });
      await client.query(CUT);
      await client.query(CUT);
      return Promise.allSettled(given);
    });
    const stored = results.filter((result) => result.status === "fulfilled");
    const reasons = results.flatMap((result) =>
      result.status === "rejected" ? [(result.reason as Error).name] : [],
    );
    expect(reasons).toEqual(reasons.map(() => StoreUnavailable.name));
    const seqs = await seqsOf(sessionId);
    expect(seqs).toEqual(upTo(seqs.length));
    expect(seqs.length).toBeGreaterThanOrEqual(stored.length);
    const ids = (await store.events({ sessionId, limit: 100 })).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("while its commit waits for a lock is made again, and the commit is stored once", async () => {
    await withClient(url, async (holder) => {
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM beckon.sessions WHERE id = $1 FOR UPDATE", [sessionId]);
      const committing = commit(store, { sessionId, events: [textEvent("once")] });
      await withClient(url, async (client) => {
        await untilSomebodyWaits(client);
        await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`);
        await untilSomebodyWaits(client);
      });
      await holder.query("COMMIT");
      expect(await committing).toBe(1);
    });
    expect(await seqsOf(sessionId)).toEqual([1]);
  });

  test("a batch that is given again by the same writer is taken once", async () => {
    const again = async (client: Client) => {
      const commits = JSON.stringify([
        { session: sessionId, writes: [], changed: [[], [], []], events: [EVENT] },
      ]);
      const sql = "SELECT beckon.beckon_commit('writer', 7, '[]', $1) AS told";
      const { rows } = await client.query<{ told: { results: unknown } }>(sql, [commits]);
      return rows[0]!.told.results;
    };
    await withClient(url, async (client) => {
      expect(await again(client)).toEqual([1]);
      expect(await again(client)).toEqual([1]);
    });
    expect(await seqsOf(sessionId)).toEqual([1]);
  });
});

test("a commit waits for the disk, whatever the connection was set to", async () => {
  const shown = await withClient(url, async (client) => {
    await client.query("SET synchronous_commit = off");
    await client.query("BEGIN");
    await client.query("SELECT beckon.beckon_commit('w', 1, '[]', '[]')");
    const { rows } = await client.query<{ synchronous_commit: string }>("SHOW synchronous_commit");
    await client.query("ROLLBACK");
    return rows[0]!.synchronous_commit;
  });
  expect(shown).toBe("on");
});

const EVENT = ["e", 1, "text", 1, null, null, null, null, null, "{}", null];

describe("two stores", () => {
  test("that answer one prompt have one winner, and the other sees its answer", async () => {
    const other = await openStore();
    await write(store, insert("interactions", interaction("i1", { sessionId })));
    const answer = (at: Store, id: string) =>
      at.commit({
        sessionId,
        writes: [
          update("interactions", "i1", 1, { status: "answered", decidedResponseId: id }),
          insert("responses", response(id)),
        ],
        events: [textEvent(id)],
      });
    const results = await Promise.all([
      ...upTo(10).map((n) => answer(store, `mine-${n}`)),
      ...upTo(10).map((n) => answer(other, `theirs-${n}`)),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const { decidedResponseId } = (await store.interaction("i1"))!;
    for (const result of results.filter(({ ok }) => !ok)) {
      expect(result).toMatchObject({ reason: "conflict", current: { decidedResponseId } });
    }
    await other.close();
  });

  test("that insert the same row have one winner", async () => {
    const other = await openStore();
    const add = (at: Store, title: string) =>
      at.commit({
        writes: [insert("runs", run(`of ${sessionId}`, { sessionId, owner: title }))],
        events: [],
      });
    const results = await Promise.all(
      upTo(20).map((n) => add(n % 2 === 0 ? store : other, `${n}`)),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    await other.close();
  });

  test("that append to the same logs in opposite orders number them without gap", async () => {
    const other = await openStore();
    const ids = upTo(5).map((n) => `${sessionId}-${n}`);
    for (const id of ids) await addSession(store, id);
    const append = (at: Store, id: string, n: number) =>
      commit(at, { sessionId: id, events: [textEvent(`e${n}`)] });
    const rounds = upTo(10).flatMap((n) =>
      ids.flatMap((id, index) => [append(store, id, n), append(other, ids.at(-1 - index)!, n)]),
    );
    await Promise.all(rounds);
    for (const id of ids) expect(await seqsOf(id)).toEqual(upTo(20));
    await other.close();
  });
});

describe("a lock that somebody else holds", () => {
  test("for too long fails what needs it as unavailable, and nothing beside it", async () => {
    await store.close();
    store = await openStore(400);
    await addSession(store, `free-${sessionId}`);
    await withClient(url, async (holder) => {
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM beckon.sessions WHERE id = $1 FOR UPDATE", [sessionId]);
      const [held, free] = await Promise.allSettled([
        commit(store, { sessionId, events: [textEvent("held")] }),
        commit(store, { sessionId: `free-${sessionId}`, events: [textEvent("free")] }),
      ]);
      expect(held).toMatchObject({ reason: { name: StoreUnavailable.name } });
      expect(free).toMatchObject({ value: 1 });
      await holder.query("ROLLBACK");
    });
    expect(await commit(store, { sessionId, events: [textEvent("later")] })).toBe(1);
  });

  test("holds up no renewal of leases", async () => {
    await write(
      store,
      insert("runs", run("held", { sessionId, owner: "n1", leaseUntil: 1 })),
      insert("runs", run("free", { sessionId, owner: "n1", leaseUntil: 1 })),
    );
    await withClient(url, async (holder) => {
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM beckon.runs WHERE id = 'held' FOR UPDATE");
      await store.renew("n1", 60_000);
      expect((await store.run("free"))!.leaseUntil).toBeGreaterThan(1);
      await holder.query("ROLLBACK");
    });
  });

  test("in a deadlock is got over: the commit that lost it is done again", async () => {
    const runId = `run of ${sessionId}`;
    await write(store, insert("runs", run(runId, { sessionId })));
    await withClient(url, async (rival) => {
      // Takes them the other way round, as nobody of ours does.
      await rival.query("SET deadlock_timeout = '1h'");
      await rival.query("BEGIN");
      await rival.query("SELECT 1 FROM beckon.sessions WHERE id = $1 FOR UPDATE", [sessionId]);
      const committing = commit(store, {
        sessionId,
        fence: { runId, epoch: 1 },
        events: [textEvent("e1")],
      });
      await withClient(url, untilSomebodyWaits);
      const waiting = rival.query("SELECT 1 FROM beckon.runs WHERE id = $1 FOR UPDATE", [runId]);
      // Ours is the one that finds the deadlock, is undone, and waits for the other to be done.
      await waiting;
      await rival.query("COMMIT");
      expect(await committing).toBe(1);
    });
  });
});

describe("a server that is restarted", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    await withClient(`${server.url}/postgres`, (client) =>
      client.query("CREATE DATABASE restarted"),
    );
  });
  afterAll(async () => {
    await server.close();
  });

  test("is unavailable meanwhile, and then used again with everything that was stored", async () => {
    const { store: restarted } = await openPostgresStore({ url: `${server.url}/restarted` });
    await addSession(restarted, "s1");
    await commit(restarted, { sessionId: "s1", events: [textEvent("before")] });
    await server.stop();
    const append = () =>
      restarted.commit({ sessionId: "s1", writes: [], events: [textEvent("after")] });
    await expect(restarted.session("s1")).rejects.toThrow(StoreUnavailable);
    await expect(append()).rejects.toThrow(StoreUnavailable);
    await expect(restarted.health()).rejects.toThrow(StoreUnavailable);
    await server.start();
    expect(await append()).toEqual({ ok: true, lastSeq: 2 });
    expect(await restarted.session("s1")).toMatchObject({ lastSeq: 2 });
    await restarted.health();
    await restarted.close();
  });
});

describe("round trips", () => {
  test("what is committed in one turn of the loop takes one, however much it is", async () => {
    await commit(store, { sessionId, events: [textEvent("first")] });
    trips = 0;
    await Promise.all(
      upTo(20).map((n) => commit(store, { sessionId, events: [textEvent(`e${n}`)] })),
    );
    expect(trips).toBe(1);
  });

  test("what is read in one turn of the loop takes one", async () => {
    await store.session(sessionId);
    await store.session(sessionId);
    trips = 0;
    await Promise.all([
      store.session(sessionId),
      store.run("r"),
      store.openCount(),
      store.people(),
    ]);
    expect(trips).toBe(1);
  });
});

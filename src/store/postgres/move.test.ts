import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, withClient } from "../../../test/support/postgres/database.ts";
import type { NewEvent, Store } from "../../core/ports.ts";
import { createFakeClock } from "../../testing/index.ts";
import { grant, interaction, response } from "../../testing/store-contract/interaction-rows.ts";
import {
  call,
  journalEntry,
  principal,
  run,
  session,
  token,
} from "../../testing/store-contract/rows.ts";
import { textEvent } from "../../testing/store-contract/subject.ts";
import { commit, insert } from "../../testing/store-contract/writes.ts";
import { move } from "../move/move.ts";
import { verifyAudit } from "../sqlite/audit/verify-audit.ts";
import { DataDirectoryInUse, holdDataDirectory } from "../sqlite/lock.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { verifyPostgresAudit } from "./audit/verify-audit.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

let root: string;
let url: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "beckon-move-"));
  url = await createDatabase();
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const databaseIn = (directory: string) => join(directory, "beckon.db");
const openSqlite = (directory: string) =>
  openSqliteStore({ path: databaseIn(directory), clock: createFakeClock(), exclusive: true });

const answered: NewEvent = {
  id: "e9",
  type: "interaction_response",
  at: 7_000,
  interactionId: "i1",
  actorId: "p1",
  payload: {
    toolCallId: "c1",
    interactionId: "i1",
    answerId: "a1",
    action: "approve",
    responder: { id: "p1" },
  },
};
const ask = { v: 1, ask: { type: "approval", prompt: "NUL \0" }, askedBy: "p1" } as const;

async function fill(store: Store): Promise<void> {
  const events = Array.from({ length: 450 }, (_, n) =>
    textEvent(`e${n}`, `naïve 🙂 \0 \ud800 ${n}`),
  );
  await commit(store, {
    sessionId: "s1",
    writes: [
      insert("principals", principal("p1")),
      insert("tokens", token("t1", { singleUse: true })),
      insert("sessions", session("s1", { budgetId: "m1", runtimeState: { text: "\0" } })),
      insert("runs", run("r2", { state: ask, leaseUntil: 0 })),
      insert("runs", run("r1", { leaseUntil: 0 })),
      insert("tool_calls", call("c1", { ok: true })),
      insert("journal", journalEntry("j1")),
      insert("interactions", interaction("i2")),
      insert(
        "interactions",
        interaction("i1", {
          status: "answered",
          response: answered.payload as never,
          decidedResponseId: "a1",
        }),
      ),
      insert("responses", response("a1")),
      insert("grants", grant("g1")),
    ],
    events: [...events, answered],
  });
}

const readAll = (store: Store) =>
  Promise.all([
    store.summary("s1"),
    store.events({ sessionId: "s1", limit: 1_000 }),
    store.activeRuns("s1"),
    store.call("s1", "c1"),
    store.journal("s1/c1"),
    store.interactionsOfCall("s1", "c1"),
    store.response("i1", "a1"),
    store.grant("g1"),
    store.tokens(),
    store.people(),
    store.budgetOpenCount("m1"),
  ]);

test("everything moves to PostgreSQL and back, and the chains stay whole", async () => {
  const [one, other] = [join(root, "one"), join(root, "other")];
  holdDataDirectory(one).release();
  holdDataDirectory(other).release();
  const before = openSqlite(one);
  await fill(before);
  const all = await readAll(before);
  await before.close();

  const counts = await move({ directory: one, postgres: { url }, to: "postgres" });
  expect(counts).toMatchObject({ sessions: 1, events: 451, runs: 2, interactions: 2 });
  const { store } = await openPostgresStore({ url, hints: "poll" });
  expect(await readAll(store)).toEqual(all);
  await commit(store, { sessionId: "s1", events: [textEvent("on PostgreSQL")] });
  await store.close();
  const problems: string[] = [];
  await verifyPostgresAudit({ url }, ({ message }) => problems.push(message));

  await move({ directory: other, postgres: { url }, to: "directory" });
  const back = openSqlite(other);
  expect((await readAll(back)).slice(2)).toEqual(all.slice(2));
  await commit(back, { sessionId: "s1", events: [textEvent("back again")] });
  await back.close();
  const summary = verifyAudit({ path: databaseIn(other) }, ({ message }) => problems.push(message));
  expect(problems).toEqual([]);
  expect(summary).toMatchObject({ sessions: 1, events: 453 });
});

test("nothing moves where there is data already, or where somebody is at work", async () => {
  const directory = join(root, "one");
  holdDataDirectory(directory).release();
  const store = openSqlite(directory);
  await fill(store);
  await store.close();
  const there = () => move({ directory, postgres: { url }, to: "postgres" });

  const held = holdDataDirectory(directory);
  await expect(there()).rejects.toThrow(DataDirectoryInUse);
  held.release();

  const { store: node } = await openPostgresStore({ url, hints: "poll" });
  await node.join({ id: "n1", name: "alpha", host: "h", version: "1", publicKey: "" }, 1_000);
  await node.close();
  await expect(there()).rejects.toThrow(/in use by alpha/);
  await withClient(url, (client) => client.query("DELETE FROM beckon.nodes"));

  await there();
  await expect(there()).rejects.toThrow(/There is data/);
});

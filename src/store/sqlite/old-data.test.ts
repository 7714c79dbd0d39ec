import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../../testing/index.ts";
import { textEvent } from "../../testing/store-contract/subject.ts";
import { commit, update } from "../../testing/store-contract/writes.ts";
import { verifyAudit } from "./audit/verify-audit.ts";
import { Database } from "./database.ts";
import { chainSession } from "./migrations/002-audit.ts";
import { unreadColumns } from "./migrations/012-unread-columns.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** A conversation in which one prompt waits, one is orphaned, one is answered; and a grant. */
const ROWS = /* sql */ `
INSERT INTO principals (id, kind, name, role, created_at, version)
  VALUES ('p1', 'person', 'Owner', 'owner', 1, 1), ('robot', 'machine', 'Robot', '', 1, 1);
INSERT INTO tokens (id, hash, principal_id, kind, scopes, created_at, version)
  VALUES ('t1', 'hash', 'p1', 'bearer', '["ask"]', 1, 1);
INSERT INTO sessions (id, log_id, agent, host, owner_id, parent_session_id, parent_call_id, settings,
    last_seq, taken_position, created_at, updated_at, version)
  VALUES ('s1', 'log-1', 'demo', 'here', 'robot', 's0', 'c0', '{"permissionMode":"default"}', 2, 2, 1, 1, 3);
INSERT INTO runs (id, session_id, kind, status, host, owner, epoch, lease_until, wakes, created_at,
    version)
  VALUES ('r1', 's1', 'turn', 'live', 'here', 'node-0', 1, 99, 7, 1, 1);
INSERT INTO tool_calls (session_id, id, run_id, tool, origin, durable, input, input_digest, status,
    attempt, created_at, version)
  VALUES ('s1', 'c1', 'r1', 'deploy', 'agent', 'replay', '{}', 'in', 'running', 1, 1, 1);
INSERT INTO journal (scope_id, key, kind, state, value, epoch, version)
  VALUES ('s1/c1', 'step|1', 'step', 'done', '{"value":1}', 1, 1);
INSERT INTO interactions (id, session_id, call_id, run_id, tool_name, key, type, presentation, status,
    link, request, request_digest, origin, created_at, version)
  VALUES
    ('open', 's1', 'c1', 'r1', 'deploy', '1', 'approval', 'tool', 'open', 'live', '{}', 'd', 'agent', 1, 1),
    ('orphan', 's1', 'c1', 'r1', 'deploy', '2', 'input', 'tool', 'open', 'orphaned', '{}', 'd', 'agent', 2, 1),
    ('ended', 's1', 'c1', 'r1', 'deploy', '3', 'input', 'tool', 'open', 'live', '{}', 'd', 'agent', 3, 1);
UPDATE interactions SET kind = 'command', editable = 1, audience = 'p1', required = 2,
  native_request_id = 'n1', request_key = 'k1', followup_seq = 2;
UPDATE interactions SET status = 'cancelled', version = 2 WHERE id = 'ended';
INSERT INTO responses (interaction_id, id, body_digest, principal_id, token_id, via, action, verdict,
    created_at, version)
  VALUES ('ended', 'a1', 'd', 'p1', 't1', 'http', 'cancel', 'refused', 3, 1);
INSERT INTO grants (id, effect, tool, key, input_digest, scope, granted_by, created_at,
    claimed_by_call, version)
  VALUES ('g1', 'allow', 'deploy', '*', 'in', 'always', 'p1', 1, 's1/c1', 1);
INSERT INTO events (session_id, seq, id, v, type, at, payload)
  VALUES ('s1', 1, 'e1', 1, 'text', 1, '{"text":"one"}'), ('s1', 2, 'e2', 1, 'text', 2, '{"text":"two"}');
`;

/** Of 0.1.0, and of every version of the schema since. */
const VERSIONS = MIGRATIONS.map((_step, version) => version).filter((version) => version >= 4);

/** The last version that has every column of the rows above. */
const WITH_ALL_COLUMNS = MIGRATIONS.indexOf(unreadColumns);

describe("data of before", () => {
  let path: string;
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), "beckon-old-")), "beckon.db");
  });
  afterEach(() => {
    rmSync(join(path, ".."), { recursive: true });
  });

  function makeOld(version: number): void {
    const old = new Database(path, 0);
    const migrate = (from: number, to: number) => {
      for (const step of MIGRATIONS.slice(from, to)) {
        if (typeof step === "string") old.exec(step);
        else step(old);
      }
    };
    const wide = Math.min(version, WITH_ALL_COLUMNS);
    migrate(0, wide);
    old.exec(ROWS);
    if (version >= 7) old.exec("UPDATE sessions SET budget_id = owner_id");
    chainSession(old, "s1", "log-1");
    migrate(wide, version);
    old.exec(`PRAGMA user_version = ${version}`);
    old.close();
  }

  test.each(VERSIONS)("of schema %i opens, goes on and verifies", async (version) => {
    makeOld(version);
    const clock = createFakeClock();
    const store = openSqliteStore({ path, clock, exclusive: true });
    const openIds = async () => {
      const page = await store.openInteractions({ limit: 9 });
      return page.rows.map(({ id }) => id);
    };
    const counts = async () => [
      await store.openCount(),
      await store.openCount("s1"),
      await store.budgetOpenCount("robot"),
      await store.budgetOpenCount(),
    ];
    const asked = { tool: "deploy", inputDigest: "in", requestDigest: "d" };
    expect(await openIds()).toEqual(["open", "orphan"]);
    expect(await counts()).toEqual([2, 2, 2, 2]);
    expect(await store.orphans({ sessionId: "s1", ...asked })).toMatchObject([{ id: "orphan" }]);
    expect(await store.grants({ tool: "deploy" })).toMatchObject([{ id: "g1" }]);
    expect(await store.journal("s1/c1")).toMatchObject([{ key: "step|1", value: { value: 1 } }]);
    expect(await store.response("ended", "a1")).toMatchObject({ principalId: "p1" });
    const by = { owner: "node-1", leaseMs: 1_000, limit: 9 };
    expect(await store.claim(by)).toMatchObject([{ id: "r1", epoch: 2, version: 2 }]);

    const fence = { runId: "r1", epoch: 2 };
    const writes = [update("interactions", "open", 1, { status: "answered" })];
    expect(await commit(store, { sessionId: "s1", fence, writes, events: [textEvent("e3")] })).toBe(
      3,
    );
    expect(await counts()).toEqual([1, 1, 1, 1]);
    const events = await store.events({ sessionId: "s1", limit: 9 });
    expect(events.map(({ id, seq }) => [id, seq])).toEqual([
      ["e1", 1],
      ["e2", 2],
      ["e3", 3],
    ]);
    await store.close();

    const problems: unknown[] = [];
    const { events: good } = verifyAudit({ path }, (problem) => problems.push(problem));
    expect(good).toBe(3);
    expect(problems).toEqual([]);
    const again = openSqliteStore({ path, clock, exclusive: true });
    expect(await again.openCount()).toBe(1);
    await again.close();
  });

  test("whose migration was killed on the way is migrated at the next start", async () => {
    makeOld(WITH_ALL_COLUMNS);
    const dying = new Database(path, 0);
    dying.exec("PRAGMA journal_mode = wal; BEGIN IMMEDIATE");
    for (const statement of unreadColumns.split(";").slice(0, 13)) dying.exec(statement);
    const found = join(path, "..", "found.db");
    for (const file of ["", "-wal"]) copyFileSync(path + file, found + file);
    dying.close();

    const store = openSqliteStore({ path: found, clock: createFakeClock() });
    expect(await store.openCount("s1")).toBe(2);
    expect(await store.credentialById("t1")).toMatchObject({ token: { hash: "hash" } });
    await store.close();
    const database = new Database(found, 0);
    expect(database.pragma("user_version")).toBe(MIGRATIONS.length);
    expect(database.all("PRAGMA foreign_key_check")).toEqual([]);
    database.close();
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../../testing/index.ts";
import { textEvent } from "../../testing/store-contract/subject.ts";
import { commit, update } from "../../testing/store-contract/writes.ts";
import { verifyAudit } from "./audit/verify-audit.ts";
import { Database } from "./database.ts";
import { chainSession } from "./migrations/002-audit.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** A conversation in which one prompt waits, one is orphaned, one is answered; and a grant. */
const ROWS = /* sql */ `
INSERT INTO principals (id, kind, name, role, created_at, version)
  VALUES ('p1', 'person', 'Owner', 'owner', 1, 1), ('robot', 'machine', 'Robot', '', 1, 1);
INSERT INTO sessions (id, log_id, agent, owner_id, settings, last_seq, created_at, updated_at, version)
  VALUES ('s1', 'log-1', 'demo', 'robot', '{"permissionMode":"default"}', 2, 1, 1, 3);
INSERT INTO runs (id, session_id, kind, status, owner, epoch, lease_until, created_at, version)
  VALUES ('r1', 's1', 'turn', 'live', 'node-0', 1, 99, 1, 1);
INSERT INTO tool_calls (session_id, id, run_id, tool, origin, durable, input, input_digest, status,
    created_at, version)
  VALUES ('s1', 'c1', 'r1', 'deploy', 'agent', 'replay', '{}', 'in', 'running', 1, 1);
INSERT INTO interactions (id, session_id, call_id, run_id, tool_name, key, type, presentation, status,
    link, request, request_digest, origin, created_at, version)
  VALUES
    ('open', 's1', 'c1', 'r1', 'deploy', '1', 'approval', 'tool', 'open', 'live', '{}', 'd', 'agent', 1, 1),
    ('orphan', 's1', 'c1', 'r1', 'deploy', '2', 'input', 'tool', 'open', 'orphaned', '{}', 'd', 'agent', 2, 1),
    ('ended', 's1', 'c1', 'r1', 'deploy', '3', 'input', 'tool', 'open', 'live', '{}', 'd', 'agent', 3, 1);
UPDATE interactions SET status = 'cancelled', version = 2 WHERE id = 'ended';
INSERT INTO grants (id, effect, tool, key, scope, granted_by, created_at, version)
  VALUES ('g1', 'allow', 'deploy', '*', 'always', 'p1', 1, 1);
INSERT INTO events (session_id, seq, id, v, type, at, payload)
  VALUES ('s1', 1, 'e1', 1, 'text', 1, '{"text":"one"}'), ('s1', 2, 'e2', 1, 'text', 2, '{"text":"two"}');
`;

/** What 0.1.0 wrote, and what was written while a count of open prompts was kept in a table. */
const VERSIONS = { "0.1.0": 4, "before rows were kept in memory": 9 };

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
    for (const step of MIGRATIONS.slice(0, version)) {
      if (typeof step === "string") old.exec(step);
      else step(old);
    }
    old.exec(ROWS);
    if (version >= 7) old.exec("UPDATE sessions SET budget_id = owner_id");
    chainSession(old, "s1", "log-1");
    old.exec(`PRAGMA user_version = ${version}`);
    old.close();
  }

  test.each(Object.entries(VERSIONS))(
    "of %s opens, goes on and verifies",
    async (_name, version) => {
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
      const by = { owner: "node-1", host: "here", leaseMs: 1_000, limit: 9 };
      expect(await store.claim(by)).toMatchObject([{ id: "r1", epoch: 2, version: 2 }]);

      const fence = { runId: "r1", epoch: 2 };
      const writes = [update("interactions", "open", 1, { status: "answered" })];
      expect(
        await commit(store, { sessionId: "s1", fence, writes, events: [textEvent("e3")] }),
      ).toBe(3);
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
    },
  );
});

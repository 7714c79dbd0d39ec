import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createTestDatabase,
  type TestDatabase,
  withClient,
} from "../../../../test/support/postgres/database.ts";
import type { NewEvent, Store } from "../../../core/ports.ts";
import { interaction, response } from "../../../testing/store-contract/interaction-rows.ts";
import { principal, token } from "../../../testing/store-contract/rows.ts";
import { addSession, textEvent } from "../../../testing/store-contract/subject.ts";
import { commit, insert, write } from "../../../testing/store-contract/writes.ts";
import type { Decision } from "../../audit/decision.ts";
import type { AuditProblem } from "../../audit/problem.ts";
import { exportHeads } from "./export-heads.ts";
import { listPostgresDecisions } from "./list-decisions.ts";
import { verifyPostgresAudit } from "./verify-audit.ts";

let database: TestDatabase;
let store: Store;
const directory = mkdtempSync(join(tmpdir(), "beckon-heads-"));
const copy = join(directory, "heads");

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});
beforeEach(async () => {
  await database.empty();
  ({ store } = await database.open());
  await addSession(store, "s1");
  await addSession(store, "s2");
  for (const id of ["s1", "s2"]) {
    await commit(store, {
      sessionId: id,
      events: ["a", "b", "c", "d"].map((text) => textEvent(text)),
    });
  }
  return () => store.close();
});

const change = (sql: string) => withClient(database.url, (client) => client.query(sql));

async function problems(against?: string): Promise<Partial<AuditProblem>[]> {
  const found: Partial<AuditProblem>[] = [];
  await verifyPostgresAudit({ url: database.url, against }, ({ problem, sessionId, seq }) =>
    found.push({ problem, sessionId, ...(seq !== undefined && { seq }) }),
  );
  return found;
}

async function exportAll(): Promise<void> {
  let text = "";
  await exportHeads({ url: database.url }, (line) => (text += line));
  writeFileSync(copy, text);
}

describe("verifying", () => {
  test("finds nothing where nothing was changed, also against exported heads, while the log grows", async () => {
    await exportAll();
    await commit(store, { sessionId: "s1", events: [textEvent("e")] });
    expect(await problems()).toEqual([]);
    expect(await problems(copy)).toEqual([]);
  });

  test.each([
    ["changed", "UPDATE beckon.events SET payload = '{}' WHERE seq = 3", "row_changed", 3],
    ["removed", "DELETE FROM beckon.events WHERE seq = 2", "row_missing", 2],
    ["cut off", "DELETE FROM beckon.events WHERE seq = 4", "last_rows_missing", 4],
    ["recounted", "UPDATE beckon.sessions SET last_seq = 3", "count_differs", 4],
    [
      "swapped",
      "UPDATE beckon.events SET seq = CASE seq WHEN 2 THEN -3 ELSE -2 END WHERE seq IN (2, 3); UPDATE beckon.events SET seq = -seq WHERE seq < 0",
      "rows_out_of_order",
      2,
    ],
  ])("finds a log in which rows were %s", async (_, sql, problem, seq) => {
    await change(sql);
    expect(await problems()).toEqual([
      { problem, sessionId: "s1", seq },
      { problem, sessionId: "s2", seq },
    ]);
  });

  test("finds by exported heads what was computed anew, and a session that is gone", async () => {
    await exportAll();
    await change("DELETE FROM beckon.events; DELETE FROM beckon.sessions WHERE id = 's2'");
    await change("UPDATE beckon.sessions SET last_seq = 0, last_hash = NULL");
    await commit(store, {
      sessionId: "s1",
      events: ["a", "x", "c", "d"].map((id) => textEvent(id)),
    });
    expect(await problems()).toEqual([]);
    expect(await problems(copy)).toEqual([
      { problem: "head_differs", sessionId: "s1", seq: 4 },
      { problem: "session_missing", sessionId: "s2" },
    ]);
  });
});

describe("a decision", () => {
  const payload = {
    toolCallId: "c1",
    interactionId: "i1",
    answerId: "a1",
    action: "approve",
    responder: { id: "p1" },
  } as const;
  const decision: NewEvent = {
    id: "e9",
    type: "interaction_response",
    at: 7_000,
    interactionId: "i1",
    actorId: "p1",
    payload,
  };

  beforeEach(async () => {
    await write(store, insert("principals", principal("p1")), insert("tokens", token("t1")));
    const answered = { status: "answered", response: payload, decidedResponseId: "a1" } as const;
    await commit(store, {
      sessionId: "s1",
      writes: [
        insert("interactions", interaction("i1", answered)),
        insert("responses", response("a1")),
      ],
      events: [decision],
    });
  });

  test("is listed with what was asked", async () => {
    const listed: Decision[] = [];
    const list = (options: object) =>
      listPostgresDecisions({ url: database.url, ...options }, (one) => listed.push(one));
    await list({});
    expect(listed).toMatchObject([
      {
        at: 7_000,
        sessionId: "s1",
        seq: 5,
        interactionId: "i1",
        tool: "deploy",
        response: payload,
      },
    ]);
    await list({ since: 7_001 });
    await list({ sessionId: "s2" });
    expect(listed).toHaveLength(1);
    await list({ since: 7_000, sessionId: "s1" });
    expect(listed).toHaveLength(2);
  });

  test("that the tables tell otherwise is found", async () => {
    expect(await problems()).toEqual([]);
    await change("UPDATE beckon.responses SET action = 'deny'");
    expect(await problems()).toEqual([{ problem: "tables_differ", sessionId: "s1", seq: 5 }]);
  });
});

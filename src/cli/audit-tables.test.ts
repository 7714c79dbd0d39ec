import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AuditBench } from "../../test/support/audit-bench.ts";

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.make();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

describe("beckon audit verify, of the tables", () => {
  test.each([
    ["responses", "principal_id", "'somebody'"],
    ["responses", "token_id", "'other'"],
    ["responses", "via", "'direct'"],
    ["responses", "action", "'approve'"],
    ["responses", "reason", "NULL"],
    ["responses", "stop", "1"],
    ["responses", "verdict", "'refused'"],
    ["responses", "input", `'{"user":"bob"}'`],
    ["interactions", "response", "json_set(response, '$.action', 'approve')"],
    ["interactions", "request", "json_set(request, '$.prompt', 'Have tea?')"],
    ["interactions", "action_digest", "'other'"],
    ["interactions", "decided_response_id", "'other'"],
    ["interactions", "status", "'timed_out'"],
  ])("names the decision that the table %s contradicts in its %s", async (table, column, value) => {
    const [event] = bench.read(
      "SELECT seq, interaction_id AS id FROM events WHERE session_id = ? AND type = 'interaction_response' ORDER BY seq DESC LIMIT 1",
      bench.sessions.deploys,
    );
    const key = table === "responses" ? "interaction_id" : "id";
    bench.tamper(
      `UPDATE ${table} SET ${column} = ${value} WHERE ${key} = ?`,
      String(event?.["id"]),
    );
    const name = column.replaceAll(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
    expect(await bench.verify()).toEqual([
      {
        problem: "tables_differ",
        sessionId: bench.sessions.deploys,
        seq: event?.["seq"],
        message: expect.stringContaining(`${table}.${name}`),
      },
    ]);
  });

  test("names an answer that was taken out of its table, and one that was put in", async () => {
    const [row] = bench.read(
      "SELECT r.* FROM responses r JOIN interactions i ON i.id = r.interaction_id WHERE session_id = ?",
      bench.sessions.logins,
    );
    const id = String(row?.["interaction_id"]);
    bench.tamper("UPDATE responses SET id = 'forged' WHERE interaction_id = ?", id);
    expect(await bench.verify()).toMatchObject([
      { problem: "tables_differ", message: expect.stringContaining("responses (there is no") },
      {
        problem: "tables_differ",
        message: expect.stringContaining(`the prompt ${id} that the log`),
      },
    ]);
  });
});

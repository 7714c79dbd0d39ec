import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AuditBench } from "../../test/support/audit-bench.ts";
import { createBeckon } from "../beckon.ts";
import { chainSession } from "../store/sqlite/migrations/002-audit.ts";

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.make();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

/** Opens the data as a server does, and closes it again. */
async function serveOnce() {
  const log = { info() {}, warn() {}, error() {} };
  await (await createBeckon({ dataDir: bench.data, log })).close();
}

describe("beckon audit verify", () => {
  test("says in one line that an untouched directory is whole", async () => {
    const { exitCode, out, err } = await bench.audit("verify");
    const events = Number(bench.read("SELECT count(*) AS count FROM events")[0]?.["count"]);
    expect([exitCode, out, err]).toEqual([0, [`3 sessions, ${events} events, whole`], ""]);
    expect(await bench.verify("--session", bench.sessions.deploys)).toEqual([]);
  });

  test("names the row when one byte of a payload is flipped", async () => {
    bench.tamper(
      "UPDATE events SET payload = replace(payload, 'Deploy?', 'Deplox?') WHERE session_id = ? AND type = 'interaction_request'",
      bench.sessions.deploys,
    );
    const [row] = bench.read(
      "SELECT min(seq) AS seq FROM events WHERE session_id = ? AND type = 'interaction_request'",
      bench.sessions.deploys,
    );
    expect(await bench.verify()).toMatchObject([
      { problem: "row_changed", sessionId: bench.sessions.deploys, seq: row?.["seq"] },
    ]);
    expect(await bench.verify("--session", bench.sessions.logins)).toEqual([]);
    const { out, err, exitCode } = await bench.audit("verify");
    expect(out[0]).toBe(
      `row_changed  session ${bench.sessions.deploys}  seq ${row?.["seq"]}  Row ${row?.["seq"]} is not what was written.`,
    );
    expect(out.at(-1)).toMatch(/, 1 problem$/);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("not whole")]);
  });

  test.each([
    ["id", "id || 'x'"],
    ["v", "v + 1"],
    ["type", "'text'"],
    ["at", "at + 1"],
    ["turn_id", "'other'"],
    ["response_id", "'other'"],
    ["call_id", "'other'"],
    ["interaction_id", "'other'"],
    ["actor_id", "'somebody'"],
    ["audit", "json_set(coalesce(audit, '{}'), '$.tokenId', 'other')"],
    ["payload", "payload || char(0) || 'hidden behind a NUL'"],
    ["hash", "lower(hex(randomblob(32)))"],
    ["hash", "NULL"],
  ])("names the row when its %s becomes %s", async (column, value) => {
    bench.tamper(
      `UPDATE events SET ${column} = ${value} WHERE session_id = ? AND seq = 4`,
      bench.sessions.logins,
    );
    expect(await bench.verify()).toMatchObject([
      { problem: "row_changed", sessionId: bench.sessions.logins, seq: 4 },
    ]);
  });

  test("names a row that is missing in the middle", async () => {
    bench.tamper(
      "DELETE FROM events WHERE session_id = ? AND seq IN (3, 4)",
      bench.sessions.deploys,
    );
    expect(await bench.verify()).toEqual([
      {
        problem: "row_missing",
        sessionId: bench.sessions.deploys,
        seq: 3,
        message: "Rows 3 to 4 are missing.",
      },
    ]);
  });

  test("names the last row when it is missing", async () => {
    const seq = bench.lastSeq(bench.sessions.logins);
    bench.tamper("DELETE FROM events WHERE session_id = ? AND seq = ?", bench.sessions.logins, seq);
    expect(await bench.verify()).toMatchObject([
      { problem: "last_rows_missing", sessionId: bench.sessions.logins, seq },
    ]);
  });

  /** Cuts the log and leaves no trace of it in the database. */
  function cutLog(sessionId: string): number {
    const seq = bench.lastSeq(sessionId);
    bench.tamper("DELETE FROM events WHERE session_id = ? AND seq = ?", sessionId, seq);
    bench.tamper(
      `UPDATE sessions SET last_seq = ?1, last_hash =
        (SELECT hash FROM events WHERE session_id = ?2 AND seq = ?1) WHERE id = ?2`,
      seq - 1,
      sessionId,
    );
    return seq;
  }

  test("names the last row even when the session's own count was mended", async () => {
    const seq = cutLog(bench.sessions.logins);
    expect(await bench.verify()).toEqual([
      {
        problem: "last_rows_missing",
        sessionId: bench.sessions.logins,
        seq,
        message: `The log ends at row ${seq - 1}; the head file knows rows up to ${seq}.`,
      },
    ]);
  });

  test("still knows of the missing row when the server was started since", async () => {
    const seq = cutLog(bench.sessions.logins);
    await serveOnce();
    await serveOnce();
    expect(await bench.verify()).toMatchObject([
      { problem: "last_rows_missing", sessionId: bench.sessions.logins, seq },
    ]);
  });

  test("names rows that changed places", async () => {
    bench.tamper(
      "UPDATE events SET seq = -1 WHERE session_id = ? AND seq = 3",
      bench.sessions.deploys,
    );
    bench.tamper(
      "UPDATE events SET seq = 3 WHERE session_id = ? AND seq = 5",
      bench.sessions.deploys,
    );
    bench.tamper(
      "UPDATE events SET seq = 5 WHERE session_id = ? AND seq = -1",
      bench.sessions.deploys,
    );
    expect(await bench.verify()).toEqual([
      {
        problem: "rows_out_of_order",
        sessionId: bench.sessions.deploys,
        seq: 3,
        message: "What was written as row 3 stands as row 5.",
      },
    ]);
  });

  test.each([["sessions"], ["events"], ["sessions and events"]])(
    "names a session whose rows are gone from %s",
    async (tables) => {
      const sessionId = bench.sessions.deleted;
      if (tables.includes("sessions")) bench.tamper("DELETE FROM sessions WHERE id = ?", sessionId);
      if (tables.includes("events")) {
        bench.tamper("DELETE FROM events WHERE session_id = ?", sessionId);
      }
      const problem = tables.includes("sessions") ? "session_missing" : "last_rows_missing";
      expect(await bench.verify()).toMatchObject([{ problem, sessionId }]);
    },
  );

  test("names a session whose count or hash is not its log's", async () => {
    bench.tamper(
      "UPDATE sessions SET last_seq = last_seq - 1 WHERE id = ?",
      bench.sessions.deploys,
    );
    bench.tamper("UPDATE sessions SET last_hash = 'none' WHERE id = ?", bench.sessions.logins);
    const problems = await bench.verify();
    expect(problems.map(({ problem, sessionId }) => [problem, sessionId])).toEqual(
      expect.arrayContaining([
        ["count_differs", bench.sessions.deploys],
        ["count_differs", bench.sessions.logins],
      ]),
    );
  });

  test("says that the head file is missing, and after a start that it was", async () => {
    rmSync(bench.heads);
    expect(await bench.verify()).toMatchObject([{ problem: "head_file_missing" }]);
    await serveOnce();
    expect(await bench.verify()).toEqual([
      {
        problem: "head_file_missing",
        message: expect.stringMatching(
          /^The head file was missing or cut when the server started at 2/,
        ),
      },
    ]);
  });

  test("shows a line of the head file that nobody can read, also after a start", async () => {
    appendFileSync(bench.heads, "what\u001b is this\n");
    for (const _time of [1, 2]) {
      const { exitCode, out } = await bench.audit("verify");
      expect([exitCode, out[0]]).toEqual([
        1,
        "head_file_unreadable  session -  seq -  A line of the head file cannot be read: what\\u{1B} is this",
      ]);
      await serveOnce();
    }
  });

  test("finds a log that was forged from one row to the end, by its head", async () => {
    forge(bench.sessions.deploys);
    expect(await bench.verify()).toEqual([
      expect.objectContaining({
        problem: "head_differs",
        sessionId: bench.sessions.deploys,
        seq: bench.lastSeq(bench.sessions.deploys),
      }),
    ]);
  });

  test("finds forged rows and heads by a copy of the heads that was kept elsewhere", async () => {
    const copy = join(bench.directory, "copy");
    cpSync(bench.heads, copy);
    expect(await bench.verify("--against", copy)).toEqual([]);
    const head = forge(bench.sessions.deploys);
    const heads = readFileSync(bench.heads, "utf8");
    const line = new RegExp(`^${bench.sessions.deploys} .*$`, "gm");
    writeFileSync(bench.heads, heads.replace(line, head));
    // What a writer of both files can do: the guide says so.
    expect(await bench.verify()).toEqual([]);
    expect(await bench.verify("--against", copy)).toMatchObject([
      { problem: "head_differs", sessionId: bench.sessions.deploys },
    ]);
  });

  /** Puts words in somebody's mouth and computes every hash anew; gives the new head's line. */
  function forge(sessionId: string): string {
    bench.tamper(
      "UPDATE events SET payload = replace(payload, '/call', '/cast') WHERE session_id = ? AND seq = 1",
      sessionId,
    );
    return bench.inDatabase((database) => {
      const logId = database.get("SELECT log_id FROM sessions WHERE id = ?", sessionId)?.["log_id"];
      chainSession(database, sessionId, String(logId));
      const session = database.get("SELECT * FROM sessions WHERE id = ?", sessionId);
      return `${sessionId} ${session?.["last_seq"]} ${session?.["last_hash"]}`;
    });
  }

  test("refuses a file to compare with that has no heads", async () => {
    expect((await bench.audit("verify", "--against", join(bench.data, "nothing"))).err).toContain(
      "no file",
    );
    writeFileSync(join(bench.data, "empty"), "");
    expect((await bench.audit("verify", "--against", join(bench.data, "empty"))).err).toContain(
      "no heads",
    );
  });

  test("says that a database cannot be read whose file is damaged", async () => {
    const copy = join(bench.directory, "damaged");
    mkdirSync(copy);
    cpSync(bench.heads, join(copy, "audit-heads"));
    const path = join(copy, "beckon.db");
    bench.inDatabase((database) => database.exec(`VACUUM INTO '${path}'`));
    const bytes = readFileSync(path, "latin1");
    writeFileSync(
      path,
      bytes.replaceAll("CREATE TABLE sessions", "CREATE TABLF sessions"),
      "latin1",
    );
    expect(await bench.verify("--data", copy)).toMatchObject([{ problem: "unreadable" }]);
  });

  test("names a directory without data", async () => {
    const { exitCode, err } = await bench.audit(
      "verify",
      "--data",
      join(bench.directory, "nowhere"),
    );
    expect([exitCode, err]).toEqual([1, expect.stringContaining("There is no data of Beckon")]);
  });
});

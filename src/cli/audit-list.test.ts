import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AuditBench } from "../../test/support/audit-bench.ts";
import { SECRET } from "../../test/support/audited-data.ts";
import { canonicalJson } from "../protocol/index.ts";

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.make();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const digest = (value: unknown) => createHash("sha256").update(canonicalJson(value)).digest("hex");

async function listed(...args: string[]) {
  const { out } = await bench.audit("list", "--json", ...args);
  return out.map((line) => JSON.parse(line));
}

describe("beckon audit list", () => {
  test("tells of each decision who, with what, about what, and what", async () => {
    const { deploys, logins, deleted } = bench.sessions;
    const all = await listed();
    const token = bench.read("SELECT id FROM tokens WHERE kind = 'bearer'")[0]?.["id"];
    for (const decision of all) {
      expect(decision).toMatchObject({
        who: { id: "owner", name: "Owner" },
        credential: { id: token, kind: "bearer" },
        client: { via: "websocket", id: "phone" },
      });
    }
    expect(all.map(({ sessionId, tool, decision }) => ({ sessionId, tool, decision }))).toEqual([
      { sessionId: deploys, tool: "deploy", decision: { action: "approve", scope: "session" } },
      {
        sessionId: deploys,
        tool: "deploy",
        decision: {
          action: "approve",
          scope: "once",
          updatedInput: { target: "there" },
          editedDigest: digest({ target: "there" }),
        },
      },
      {
        sessionId: deploys,
        tool: "deploy",
        decision: { action: "deny", reason: "Not\u0007 now" },
      },
      {
        sessionId: logins,
        tool: "login",
        decision: { action: "submit", input: { user: "ann" }, secretFields: ["password"] },
      },
      { sessionId: deleted, tool: "deploy", decision: { action: "deny", stop: true } },
    ]);
  });

  test("gives the digests of what was shown and of what was to run", async () => {
    const [, edited] = await listed("--session", bench.sessions.deploys);
    const [asked] = bench.read(
      "SELECT payload FROM events WHERE type = 'interaction_request' AND interaction_id = ?",
      edited.interactionId,
    );
    expect(edited.shown).toEqual({
      prompt: "Deploy?\u001b[2J",
      digest: digest(JSON.parse(String(asked?.["payload"]))),
      actionDigest: digest({ tool: "deploy", input: { target: "here" } }),
    });
  });

  test("prints one line a decision, in which nothing hides", async () => {
    const { out } = await bench.audit("list", "--session", bench.sessions.deploys);
    const [first] = await listed();
    expect(out).toHaveLength(3);
    expect(out[0]).toBe(
      [
        first.at,
        "Owner",
        `bearer ${first.credential.id}`,
        "websocket/phone",
        "deploy",
        `shown ${first.shown.digest.slice(0, 12)}`,
        "approve session",
        `session ${bench.sessions.deploys} seq ${first.seq}`,
      ].join("  "),
    );
    expect(out[1]).toContain("approve once edited");
    expect(out[2]).toContain('deny "Not\\u{7} now"');
  });

  test("leaves out what was before the given time", async () => {
    const all = await listed();
    expect(await listed("--since", all[0].at)).toEqual(all);
    expect(await listed("--since", "2999-01-01")).toEqual([]);
    expect(await listed("--since", all[0].at, "--session", bench.sessions.logins)).toEqual([
      all[3],
    ]);
    const { exitCode, err } = await bench.audit("list", "--since", "yesterday");
    expect([exitCode, err]).toEqual([2, expect.stringContaining("Give a time like 2026-11-20")]);
  });

  test("shows no secret and no token", async () => {
    const lines = [
      ...(await bench.audit("list")).out,
      ...(await bench.audit("list", "--json")).out,
    ];
    expect(lines.join("\n")).not.toContain(SECRET);
    const hashes = bench.read("SELECT hash FROM tokens").map(({ hash }) => String(hash));
    for (const hash of hashes) expect(lines.join("\n")).not.toContain(hash);
  });

  test("says what it can of a decision from before the audit, or whose token is gone", async () => {
    bench.tamper("UPDATE events SET audit = NULL WHERE session_id = ?", bench.sessions.logins);
    bench.tamper("DELETE FROM tokens");
    const { out } = await bench.audit("list");
    expect(out[3]).toContain("  Owner  -  -  login  shown -  submit  session");
    expect(out[4]).toContain("  Owner  unknown ");
  });
});

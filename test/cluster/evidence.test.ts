import { expect, test } from "vitest";
import { createDatabase } from "../support/postgres/database.ts";
import { keptInPostgres, queryOf } from "./evidence.ts";

test("of a response what was sealed may go, and a change of anything else is noted", async () => {
  const url = await createDatabase();
  const [kept, query] = [keptInPostgres("", url), queryOf(url)];
  await query(`INSERT INTO beckon.responses (interaction_id, id, body_digest, principal_id, token_id, via,
      action, stop, verdict, late, created_at, version, sealed)
    VALUES ('i', 'r', 'd', 'owner', 't', 'http', 'submit', false, 'decided', false, 1, 1, 'sealed')`);
  await kept.watchSettled();
  // The store names every column.
  await query("UPDATE beckon.responses SET sealed = NULL, verdict = verdict, version = 2");
  expect(await kept.readChanges()).toEqual([]);
  for (const change of ["verdict = 'late'", "principal_id = 'other'", "sealed = 'again'"]) {
    await query(`UPDATE beckon.responses SET ${change}`);
  }
  expect(await kept.readChanges()).toHaveLength(3);
});

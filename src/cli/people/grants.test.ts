import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";
import { openSqliteStore } from "../../store/index.ts";
import { systemClock } from "../../system.ts";
import { grant } from "../../testing/store-contract/interaction-rows.ts";

let at: CommandLine;
beforeAll(async () => {
  at = await CommandLine.start();
});
afterAll(() => at[Symbol.asyncDispose]());

test("a list of many grants is whole", async () => {
  await using many = await CommandLine.start();
  const path = join(many.data, "beckon.db");
  const store = openSqliteStore({ path, clock: systemClock });
  const writes = Array.from({ length: 450 }, (_none, index) => {
    const id = `g${index}`;
    return { table: "grants", id, ifVersion: 0, set: grant(id) } as const;
  });
  await store.commit({ writes, events: [] });
  await store.close();
  const { out } = await many.beckon(["grants", "list", "--json"]);
  const { grants } = JSON.parse(out[0] ?? "") as { grants: { id: string }[] };
  expect(new Set(grants.map((grant) => grant.id)).size).toBe(450);
});

test("what was allowed for a session is listed, and asked for again once it is revoked", async () => {
  expect(await at.beckon(["grants", "list"])).toEqual({
    exitCode: 0,
    out: [],
    err: "Nothing is allowed beyond a single call.",
  });
  const person = await at.person();
  const { id } = await at.session();
  await person.client.subscribe(id);
  const run = () => person.client.say(id, '/call bash {"command":"true"}');
  await run();
  await person.say({ action: "approve", approvalScope: "session" });
  await person.client.event("turn_end");
  await run();
  const second = await person.client.event("tool_result", 2);

  const { out } = await at.beckon(["grants", "list"]);
  expect(out).toHaveLength(2);
  expect(out[0]).toMatch(/^ID +SCOPE +SESSION +GRANTED +TOOL +COVERS$/);
  expect(out[1]).toMatch(new RegExp(`^\\S+ +session +${id} .* bash +\\S`));
  const json = JSON.parse((await at.beckon(["grants", "list", "--json"])).out[0] ?? "");
  expect(json.grants).toMatchObject([{ toolName: "bash", scope: "session", sessionId: id }]);
  const grant = json.grants[0].id as string;
  expect(second.payload.authorizedBy).toBe(`grant:${grant}`);

  expect(await at.beckon(["grants", "revoke", grant])).toMatchObject({
    exitCode: 0,
    err: `The grant ${grant} is revoked.`,
  });
  expect(await at.beckon(["grants", "revoke", grant])).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining("revoked already"),
  });
  await run();
  await person.say({ action: "deny" });
  expect((await person.client.event("tool_result", 3)).payload.error?.code).toBe("tool_denied");
  await person.client.close();
});

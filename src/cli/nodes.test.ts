import { hostname } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../test/support/command-line.ts";
import { packageVersion } from "../package.ts";

/** That of the host, and four digits of its data directory. */
const NAME = new RegExp(`^${hostname()}-[0-9a-f]{4}$`);

let at: CommandLine;
beforeAll(async () => {
  at = await CommandLine.start();
});
afterAll(() => at[Symbol.asyncDispose]());

test("the servers that share the store are listed, with whether they live", async () => {
  const { exitCode, out } = await at.beckon(["nodes"]);
  expect(exitCode).toBe(0);
  expect(out).toHaveLength(2);
  expect(out[0]).toMatch(/^NAME +HOST +VERSION +STARTED +SEEN +STATE$/);
  expect(out[1]?.split(/ {2,}/)).toEqual([
    expect.stringMatching(NAME),
    hostname(),
    packageVersion(),
    expect.any(String),
    expect.any(String),
    "live",
  ]);
  const [json = ""] = (await at.beckon(["nodes", "--json"])).out;
  expect(JSON.parse(json)).toMatchObject({
    nodes: [{ name: expect.stringMatching(NAME), live: true }],
  });
});

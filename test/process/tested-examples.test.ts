import { existsSync, readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Clone } from "./clone.ts";

/* The examples that are tests themselves, or folders for a server, by the commands of their pages. */

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
});
afterEach(() => clone.remove());

test.each(["examples/interactive/README.md", "examples/testing/README.md"])(
  "the tests of %s pass",
  async (page) => {
    const [command] = clone.blocks(page);
    const run = clone.run(`exec ${command}`, {
      variables: { NODE_OPTIONS: "", VITEST: undefined },
    });
    expect(await run.end(), run.said).toBe(0);
    expect(run.said).toMatch(/pass [1-9]\d*\n[^]*fail 0\n/);
  },
  120_000,
);

test("a server with examples/plugins has both, and its agent counts with one", async () => {
  const [command] = clone.blocks("examples/plugins/README.md");
  const server = clone.run(`exec ${command}`);
  await server.signIn();
  const { plugins } = await server.http<{ plugins: { id: string }[] }>("GET", "/api/plugins");
  expect(plugins.map(({ id }) => id)).toEqual(expect.arrayContaining(["counter", "demo-tools"]));
  const { id } = await server.http<{ id: string }>("POST", "/api/sessions", {});
  await server.send('/call counter_next {"by":3}');
  const said = async () => JSON.stringify(await server.http("GET", `/api/sessions/${id}/events`));
  await expect.poll(said).toContain('"result":{"count":3}');
  expect(await server.interrupt()).toBe(0);
});

test("every example with a program has a page that says how to run it", () => {
  const programs = readdirSync("examples").flatMap((folder) =>
    ["main.js", "main.sh"].flatMap((file) =>
      existsSync(`examples/${folder}/${file}`) ? [folder] : [],
    ),
  );
  expect(programs).toEqual(expect.arrayContaining(["embedded", "shell", "validation"]));
  const silent = programs.filter((folder) => !existsSync(`examples/${folder}/README.md`));
  expect(silent).toEqual([]);
});

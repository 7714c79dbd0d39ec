import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../test/support/run-command.ts";
import { withData } from "./data.ts";

let data: string;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "beckon-cli-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const beckon = (...args: string[]) => runCommand(args, { env: { BECKON_DATA: data } });

const whoIs = (token = "") =>
  withData({ directory: data }, ({ credentials }) => credentials.authenticate(token));

interface Listed {
  tokens: { id: string; kind: string; name: string; state: string; sessionId?: string }[];
}
const listed = async () =>
  (JSON.parse((await beckon("token", "list", "--json")).out.join("")) as Listed).tokens;

test("a new token stands alone on the last line of stdout and works at once", async () => {
  const { exitCode, out, err } = await beckon(
    "token",
    "create",
    "--kind",
    "machine",
    "--name",
    "ci",
  );
  expect(exitCode).toBe(0);
  expect(out).toHaveLength(1);
  expect(err).toContain("beckon token revoke");
  expect(await whoIs(out[0])).toMatchObject({ kind: "machine", name: "ci", sessionId: null });
});

test("tokens of two people are two people", async () => {
  const one = await beckon("token", "create", "--kind", "person");
  const two = await beckon("token", "create", "--kind", "person");
  const [first, second] = [await whoIs(one.out.at(-1)), await whoIs(two.out.at(-1))];
  expect(first?.kind).toBe("person");
  expect(first?.principalId).not.toBe(second?.principalId);
});

test("the list shows every token and none of their secrets", async () => {
  const made = await beckon("token", "create", "--kind", "machine", "--name", "a\u001b[2Jb");
  const list = await beckon("token", "list");
  expect(list.out).toHaveLength(2);
  expect(list.out[1]).toContain("a\\u{1B}[2Jb");
  expect(list.out.join("\n")).not.toContain(made.out.at(-1));
  expect(await listed()).toMatchObject([{ kind: "machine", name: "a\u001b[2Jb", state: "good" }]);
});

test("a revoked token works no more, and is listed as revoked", async () => {
  const { out } = await beckon("token", "create", "--kind", "person");
  const [token] = await listed();
  expect((await beckon("token", "revoke", token?.id ?? "")).exitCode).toBe(0);
  expect(await whoIs(out.at(-1))).toBeNull();
  expect(await listed()).toMatchObject([{ state: "revoked" }]);
});

test("revoking what does not exist says so", async () => {
  await beckon("token", "create", "--kind", "person");
  const { exitCode, err } = await beckon("token", "revoke", "nope");
  expect([exitCode, err]).toEqual([1, "There is no token nope. See: beckon token list"]);
});

test("a token for a session that does not exist is not made", async () => {
  const { exitCode, out, err } = await beckon(
    "token",
    "create",
    "--kind",
    "machine",
    "--session",
    "x",
  );
  expect([exitCode, out, err]).toEqual([1, [], "There is no session x."]);
});

test.each([
  [["token", "create"], "required option '--kind"],
  [["token", "create", "--kind", "cat"], "Allowed choices are machine, person"],
  [["token", "create", "--kind", "person", "--session", "s"], "--session is for machines"],
  [["token", "revoke"], "missing required argument"],
  [["token", "list", "--loud"], "unknown option"],
  [["dance"], "unknown command"],
  [["serve", "--port", "many"], "Give a number from 0 to 65535"],
  [["serve", "--port", "65536"], "Give a number from 0 to 65535"],
  [["serve", "--host", "0.0.0.0"], "--allow-host NAME"],
])("%j is a usage error", async (args, sentence) => {
  const { exitCode, out, err } = await beckon(...args);
  expect([exitCode, out]).toEqual([2, []]);
  expect(err).toContain(sentence);
});

test("a directory without data is named, and not made by looking at it", async () => {
  const { exitCode, err } = await beckon("token", "list");
  expect(exitCode).toBe(1);
  expect(err).toContain(`There is no data of Beckon in ${data}`);
});

test.each([["serve"], ["token", "create", "--kind", "machine"]])(
  "%s says why a directory cannot hold data",
  async (...args) => {
    const file = join(data, "file");
    await writeFile(file, "");
    const { exitCode, err } = await beckon(...args, "--data", file);
    expect([exitCode, err]).toEqual([
      1,
      `${file} cannot be the data directory: it is a file. Choose another with --data.`,
    ]);
  },
);

test("open says plainly when no server runs", async () => {
  const { exitCode, out, err } = await beckon("open");
  expect([exitCode, out]).toEqual([1, []]);
  expect(err).toBe(`No server is running on ${data}. Start one with: beckon serve`);
});

test("--help shows examples and --version the version, on stdout", async () => {
  const help = await beckon("--help");
  expect(help.exitCode).toBe(0);
  expect(help.out.join("\n")).toContain("beckon token create --kind machine");
  const version = await beckon("--version");
  expect([version.exitCode, version.out[0]]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+/)]);
});

test("every command is found by its name, and no other word is one", async () => {
  const { out } = await beckon("--help");
  const shown = [...out.join("\n").matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(
    ([, name]) => name ?? "",
  );
  const commands = shown.slice(0, shown.indexOf("help"));
  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) {
    expect((await beckon(command, "--help")).out.join("\n")).toContain(`Usage: beckon ${command}`);
  }
  expect(await beckon("constructor")).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("unknown command 'constructor'"),
  });
});

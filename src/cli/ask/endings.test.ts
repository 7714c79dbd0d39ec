import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";
import type { InboxPerson } from "../../../test/support/inbox-person.ts";

/* How a command that asks can end, by its exit code. */

let at: CommandLine;
let person: InboxPerson;

beforeAll(async () => {
  at = await CommandLine.start();
  person = await at.person();
});
afterAll(() => at[Symbol.asyncDispose]());

const SECRET = JSON.stringify({ fields: [{ id: "a", label: "a", type: "secret" }] });

const submit = (answer: string) => ({ action: "submit", input: { answer } });

test("1: no server runs", async () => {
  const nowhere = join(at.folder, "nowhere");
  const commands = [
    ["ask", "Q"],
    ["wait", "x"],
    ["cancel", "x"],
    ["call", "a", "b"],
  ];
  const ended = await Promise.all(commands.map((args) => at.beckon([...args, "--data", nowhere])));
  for (const end of ended) {
    expect(end).toEqual({
      exitCode: 1,
      out: [],
      err: `No server of Beckon is running on ${nowhere}. Start one with: beckon serve`,
    });
  }
  // Looking for it has made nothing.
  expect(readdirSync(at.folder)).toEqual(["data"]);
});

test("1: there is no such prompt or session", async () => {
  for (const args of [
    ["wait", "x/../y"],
    ["cancel", "x"],
    ["ask", "Q", "--session", "none"],
  ]) {
    const { exitCode, out, err } = await at.beckon(args);
    expect([exitCode, out]).toEqual([1, []]);
    expect(err).toMatch(/^There is no .*\.$/);
  }
});

describe("2: the command line is wrong", () => {
  const options = (count: number) => Array.from({ length: count }, (_one, index) => `${index}`);

  test.each<[string, string[], words: string, stdin?: string]>([
    ["nothing to ask", ["ask"], "beckon ask QUESTION"],
    ["an empty question", ["ask", ""], "beckon ask QUESTION"],
    ["an empty question on stdin", ["ask", "-"], "beckon ask QUESTION", "\n"],
    ["a question in several words", ["ask", "Which", "name?"], "too many arguments"],
    ["a form that is not JSON", ["ask", "--schema", "-"], "--schema on stdin is not JSON", "{"],
    ["a form that is none", ["ask", "--schema", "-"], 'needs either "fields"', "7"],
    ["a field of no type", ["ask", "--schema", "-"], "fields.0.type", '{"fields":[{"id":"a"}]}'],
    ["a secret", ["ask", "--schema", "-"], "cannot ask for a secret", SECRET],
    ["questions that are no list", ["ask", "--questions", "-"], '"questions"', '{"a":1}'],
    ["a form and questions", ["ask", "--schema", "-", "--questions", "x"], "cannot be used", "{}"],
    ["stdin for two", ["ask", "-", "--schema", "-"], "cannot both be read from stdin", "{}"],
    ["a file without end", ["ask", "--schema", "/dev/zero"], "/dev/zero is larger than 256 KiB"],
    ["more than fits", ["ask", "-"], "the question is larger than 256 KiB", "a".repeat(262_145)],
    ["a file that there is not", ["ask", "--schema", "/nowhere.json"], "/nowhere.json"],
    ["no option", ["choose", "Which?"], "missing required argument"],
    ["one option", ["choose", "Which?", "A"], "two or more"],
    ["an option twice", ["choose", "Which?", "A", "B", "A"], "only once"],
    ["an empty option", ["choose", "Which?", "A", ""], "cannot be empty"],
    ["too many options", ["choose", "Which?", ...options(101)], "At most 100"],
    ["a time that is none", ["ask", "Q", "--timeout", "soon"], "90s, 10m"],
    ["a time that is too short", ["ask", "Q", "--timeout", "0s"], "90s, 10m"],
    ["no id", ["wait"], "missing required argument"],
    ["arguments that are not JSON", ["call", "a", "b", "{"], "is not JSON"],
    ["arguments that are no object", ["call", "a", "b", "[]"], "received array"],
    ["a session that cannot be one", ["call", "a", "b", "--session", "ü\n"], "no session"],
  ])("%s", async (_what, args, words, stdin = "") => {
    const { exitCode, out, err } = await at.beckon(args, { stdin });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: [] });
    expect(err).toContain(words);
  });

  test("an address that is none", async () => {
    const { exitCode, err } = await at.beckon(["ask", "Q"], { env: { BECKON_URL: "here" } });
    expect([exitCode, err]).toEqual([2, 'BECKON_URL is no address of a server: "here".']);
  });
});

test("3: somebody declined", async () => {
  const running = at.start(["ask", "Which?"]);
  await person.say({ action: "deny", reason: "Ask Bob." });
  const { exitCode, out, err } = await running.done;
  expect([exitCode, out]).toEqual([3, []]);
  expect(err).toMatch(/\nRefused by Owner: “Ask Bob\.?”\.$/);
});

test("4: not signed in, and when a token is revoked while it waits", async () => {
  const wrong = { env: { BECKON_TOKEN: "wrong" } };
  expect((await at.beckon(["ask", "Q"], wrong)).exitCode).toBe(4);
  const broken = { env: { BECKON_TOKEN: "be\nckon" } };
  expect(await at.beckon(["ask", "Q"], broken)).toMatchObject({
    exitCode: 4,
    err: "BECKON_TOKEN is no token. Make one with: beckon token create",
  });
  const noToken = { env: { BECKON_URL: at.url, BECKON_DATA: join(at.folder, "none") } };
  const { exitCode, err } = await at.beckon(["ask", "Q"], noToken);
  expect([exitCode, err]).toEqual([4, expect.stringContaining("beckon token create")]);

  const BECKON_TOKEN = await at.newToken("machine", "ci");
  const waiting = at.start(["ask", "Q"], { env: { BECKON_TOKEN } });
  await person.next();
  const { out } = await at.beckon(["token", "list", "--json"]);
  const { tokens } = JSON.parse(out.join("")) as { tokens: { id: string; name: string }[] };
  await at.beckon(["token", "revoke", tokens.find(({ name }) => name === "ci")?.id ?? ""]);
  expect((await waiting.done).exitCode).toBe(4);
});

test("5: somebody cancelled", async () => {
  const running = at.start(["ask", "Which?"]);
  await person.say({ action: "cancel" });
  const { exitCode, out, err } = await running.done;
  expect([exitCode, out]).toEqual([5, []]);
  expect(err).toMatch(/\nSkipped by Owner\.$/);
});

test("8: still pending, and it stays open", async () => {
  const { out } = await at.beckon(["confirm", "Now?", "--no-wait"]);
  const [id = ""] = out;
  await person.next();
  const waited = await at.beckon(["wait", id, "--timeout", "1s", "--json"]);
  expect(waited).toMatchObject({
    exitCode: 8,
    err: "Nobody has answered yet; it stays open.",
  });
  expect(JSON.parse(waited.out.join(""))).toMatchObject({ id, status: "pending" });
  expect((await at.http("GET", `/api/interactions/${id}`)).status).toBe("pending");
});

test("69: nobody is there, and only who wants to know is told", async () => {
  await using empty = await CommandLine.start();
  const { exitCode, out, err } = await empty.beckon(["confirm", "Now?", "--require-client"]);
  expect([exitCode, out]).toEqual([69, []]);
  expect(err).toMatch(/^Nobody is there to answer/);
  expect((await empty.beckon(["confirm", "Now?", "--no-wait"])).exitCode).toBe(0);
  const somebody = await empty.person();
  await somebody.next();
  const asked = empty.start(["confirm", "Now?", "--require-client"]);
  await somebody.say({ action: "approve" });
  expect((await asked.done).exitCode).toBe(0);
});

test("124: nobody answered in time, which approves nothing", async () => {
  const { exitCode, out, err } = await at.beckon(["confirm", "Now?", "--timeout", "1s", "--json"]);
  await person.next();
  expect(exitCode).toBe(124);
  expect(JSON.parse(out.join(""))).toMatchObject({ status: "timed_out" });
  expect(err).toMatch(/\nNobody answered in time\.$/);
});

test("130: interrupted, and the prompt stays open for whoever waits on", async () => {
  const running = at.start(["ask", "Which?", "--json"]);
  const { id } = await person.next();
  await running.said("Waiting");
  running.stop();
  const { exitCode, out, err } = await running.done;
  expect(exitCode).toBe(130);
  expect(JSON.parse(out.join(""))).toMatchObject({ id, status: "pending" });
  expect(err).toContain(`beckon wait ${id}`);
  const waiting = at.start(["wait", id]);
  await at.http("POST", `/api/interactions/${id}/respond`, submit("this"));
  expect(await waiting.done).toMatchObject({ exitCode: 0, out: ["this"] });
  const before = at.start(["wait", id]);
  before.stop();
  expect((await before.done).exitCode).toBe(130);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";
import type { Circumstances } from "../../../test/support/run-command.ts";

let at: CommandLine;
beforeAll(async () => {
  at = await CommandLine.start();
});
afterAll(() => at[Symbol.asyncDispose]());

const answer = (id: string, args: string[], options?: Circumstances) =>
  at.beckon(["answer", id, ...args], options);

const approval = (more: object = {}) =>
  at.ask({ type: "approval", toolName: "deploy", prompt: "Deploy?", ...more });

/** An agent's command that is held for approval: what is allowed for later is kept. */
async function heldCommand(command: string): Promise<{ id: string }> {
  const { id: sessionId } = await at.session();
  const content = `/call bash ${JSON.stringify({ command })}`;
  await at.http("POST", `/api/sessions/${sessionId}/messages`, { content });
  const waiting = `/api/interactions?status=pending&sessionId=${sessionId}`;
  let id: string | undefined;
  await expect
    .poll(async () => (id = (await at.http("GET", waiting)).interactions[0]?.id))
    .toBeDefined();
  return { id: id as string };
}

const form = () =>
  at.ask({
    type: "input",
    prompt: "Where to?",
    inputSchema: {
      type: "form",
      fields: [
        { id: "host", type: "text", label: "Host", required: true },
        { id: "copies", type: "number", label: "Copies", max: 9 },
        { id: "public", type: "boolean", label: "Public" },
        {
          id: "teams",
          type: "multiselect",
          label: "Teams",
          options: ["docs", "sales"].map((value) => ({ value, label: value })),
        },
      ],
    },
  });

const question = (text: string, multiSelect = false) => ({
  header: "Q",
  question: text,
  options: [{ label: "Red" }, { label: "Blue" }],
  multiSelect,
});

test("an approval is allowed for as long as is said", async () => {
  const { id } = await heldCommand("true");
  const { exitCode, out, err } = await answer(id, ["--approve", "--scope", "session"]);
  expect([exitCode, out, err]).toEqual([0, [], "Allowed for this session."]);
  expect((await at.prompt(id)).response).toMatchObject({
    action: "approve",
    approvalScope: "session",
    responder: { id: "owner", clientId: "cli" },
  });
});

test("a denial carries its reason, and may end the turn", async () => {
  const { id } = await approval();
  const { exitCode, err } = await answer(id, ["--deny", "--reason", "Not today", "--stop"]);
  expect([exitCode, err]).toEqual([0, "Denied by you, and the turn was stopped: “Not today”."]);
  const { response } = await at.prompt(id);
  expect(response).toMatchObject({ action: "deny", reason: "Not today", stop: true });
});

test("the asker's own choices are taken by their id", async () => {
  const { id } = await approval({
    approvalOptions: [{ id: "folder", label: "The whole folder", decision: "approve" }],
  });
  const { err } = await answer(id, ["--approve", "--option", "folder"]);
  expect(err).toBe("Allowed: The whole folder.");
});

test("with --json the prompt as it then stands is one object on stdout", async () => {
  const { id } = await approval();
  const { out } = await answer(id, ["--approve", "--json"]);
  expect(out).toHaveLength(1);
  expect(JSON.parse(out[0] ?? "")).toMatchObject({ id, status: "answered" });
});

test("a form is sent as JSON, also from stdin", async () => {
  const input = { host: "shop.example", copies: 3 };
  for (const [given, stdin] of [
    [JSON.stringify(input), ""],
    ["-", `${JSON.stringify(input)}\n`],
  ] as const) {
    const { id } = await form();
    expect((await answer(id, ["--submit", given], { stdin })).exitCode).toBe(0);
    expect((await at.prompt(id)).response?.input).toEqual(input);
  }
});

test("a form is filled in field by field, each as its type has it", async () => {
  const { id } = await form();
  const values = ["host=a=b", "copies=2", "public=yes", "teams=docs", "teams=sales"];
  const { exitCode } = await answer(
    id,
    values.flatMap((value) => ["--answer", value]),
  );
  expect(exitCode).toBe(0);
  expect((await at.prompt(id)).response?.input).toEqual({
    host: "a=b",
    copies: 2,
    public: true,
    teams: ["docs", "sales"],
  });
});

test.each([
  ["by number", ["--answer", "0=Blue", "--answer", "1=Red", "--answer", "1=Beige"]],
  ["as JSON", ["--submit", '{"0":"Blue","1":["Red","Beige"]}']],
  ["as the wire has it", ["--submit", '{"answers":{"0":"Blue","1":"[\\"Red\\",\\"Beige\\"]"}}']],
])("questions are answered %s", async (_how, args) => {
  const { id } = await at.ask({
    type: "input",
    questions: [question("Which?"), question("Which else?", true)],
  });
  expect(await answer(id, args)).toMatchObject({ exitCode: 0, err: "Answered." });
  expect((await at.prompt(id)).response?.input).toEqual({
    answers: { "0": "Blue", "1": '["Red","Beige"]' },
  });
});

test.each([
  [
    "a field",
    { inputSchema: { type: "form", fields: [{ id: "city", type: "text", label: "City" }] } },
    { city: "a=b" },
  ],
  ["a question", { questions: [question("Which?")] }, { answers: { "0": "a=b" } }],
])(
  "where there is one thing to fill in, %s, its name need not be said",
  async (_what, more, input) => {
    const { id } = await at.ask({ type: "input", prompt: "Where?", ...more });
    expect(await answer(id, ["--answer", "a=b"])).toMatchObject({ exitCode: 0 });
    expect((await at.prompt(id)).response?.input).toEqual(input);
  },
);

test("the beginning of an id is enough where only one prompt has it", async () => {
  const { id } = await approval();
  expect(await answer(id.slice(0, 8), ["--deny"])).toMatchObject({ exitCode: 0 });
  expect((await at.prompt(id)).response?.action).toBe("deny");
  expect((await answer(id.slice(0, 3), ["--deny"])).err).toContain("There is no such prompt.");
});

test("by the beginning of its id too, a prompt that has ended says how, and who was first", async () => {
  const { id } = await approval();
  expect(await answer(id, ["--deny", "--reason", "No"])).toMatchObject({ exitCode: 0 });
  for (const given of [id, id.slice(0, 8)]) {
    const second = await answer(given, ["--approve"]);
    expect([second.exitCode, second.err]).toEqual([1, "Already denied by Owner: “No”."]);
  }
  const { id: withdrawn } = await approval();
  await at.http("POST", `/api/interactions/${withdrawn}/cancel`, {});
  const late = await answer(withdrawn.slice(0, 8), ["--approve"]);
  expect([late.exitCode, late.err]).toEqual([1, "Withdrawn before anybody answered."]);
});

test("the beginning of an id finds nobody a prompt that they may not read", async () => {
  const { id } = await approval();
  const env = { BECKON_TOKEN: await at.newToken("machine", "ci") };
  const { err } = await answer(id.slice(0, 8), ["--approve"], { env });
  expect(err).toBe("There is no such prompt. See: beckon inbox");
});

test("the same answer under the same key counts once, and is done twice", async () => {
  const { id } = await approval();
  for (const _time of [1, 2]) {
    expect(await answer(id, ["--approve", "--key", "any text"])).toMatchObject({ exitCode: 0 });
  }
});

test("who comes second hears who was first, and what they chose", async () => {
  const { id } = await heldCommand("echo");
  const ada = await at.newToken("person", "Ada\u001b[2J");
  const env = { BECKON_URL: at.url, BECKON_TOKEN: ada };
  expect((await answer(id, ["--approve", "--scope", "always"], { env })).exitCode).toBe(0);
  const { exitCode, err } = await answer(id, ["--deny"]);
  expect([exitCode, err]).toEqual([1, "Already allowed always by Ada\\u{1B}[2J."]);
});

test("what is wrong is said field by field, and nothing is stored", async () => {
  const { id } = await form();
  const { exitCode, err } = await answer(id, ["--answer", "copies=many", "--answer", "colour=red"]);
  expect(exitCode).toBe(1);
  expect(err.split("\n").toSorted()).toEqual([
    "  colour: This form has no such field.",
    "  copies: This must be a number.",
    "  host: This is required.",
    "Some fields need another look.",
  ]);
  expect((await at.prompt(id)).status).toBe("pending");
});

test("a prompt that was withdrawn, is not there, or offers no such scope says so", async () => {
  const { id } = await approval();
  expect((await answer(id, ["--approve", "--scope", "always"])).err).toBe(
    'The scope "always" was not offered.',
  );
  await at.http("POST", `/api/interactions/${id}/cancel`, {});
  expect(await answer(id, ["--approve"])).toMatchObject({
    exitCode: 1,
    err: "Withdrawn before anybody answered.",
  });
  expect(await answer("nope", ["--approve"])).toMatchObject({
    exitCode: 1,
    err: "There is no such prompt. See: beckon inbox",
  });
});

test("a machine may read what it asked, and cannot answer it", async () => {
  const token = await at.newToken("machine", "ci");
  const body = { type: "approval", prompt: "Go?" };
  const { id } = await at.http<{ id: string }>("POST", "/api/interactions", body, token);
  const { exitCode, err } = await answer(id, ["--approve"], { env: { BECKON_TOKEN: token } });
  expect([exitCode, err]).toEqual([
    1,
    "A machine's token may ask and cannot answer. Answer with a person's token.",
  ]);
});

test("a token that is not good ends with 4", async () => {
  const { id } = await approval();
  expect((await answer(id, ["--approve"], { env: { BECKON_TOKEN: "bad" } })).exitCode).toBe(4);
});

test.each([
  [
    [],
    "Say how: --approve, --deny, --submit '{json}', --answer VALUE (or NAME=VALUE), or --cancel.",
  ],
  [["--approve", "--deny"], "--approve and --deny cannot stand together."],
  [["--deny", "--submit", "{}"], "--deny and --submit cannot stand together."],
  [["--deny", "--scope", "once"], "--scope goes with --approve."],
  [["--reason", "no"], "--reason goes with --deny."],
  [["--submit", "["], "--submit is not JSON"],
  [["--submit", "[]"], "--submit needs a JSON object"],
  [
    ["--answer", "blue"],
    "--answer needs NAME=VALUE here. The names are host, copies, public and teams.",
  ],
  [["--approve", "--scope", "ever"], "Allowed choices are once, session, always"],
])("%j is a usage error", async (args, sentence) => {
  const { id } = await form();
  const { exitCode, out, err } = await answer(id, args);
  expect([exitCode, out]).toEqual([2, []]);
  expect(err).toContain(sentence);
});

test("every command says plainly when no server runs", async () => {
  const empty = mkdtempSync(join(tmpdir(), "beckon-none-"));
  const lines = ["inbox", "sessions", "answer x --approve", "tail x", "send x hello"];
  const env = { BECKON_DATA: empty };
  const ends = await Promise.all(lines.map((line) => at.beckon(line.split(" "), { env })));
  rmSync(empty, { recursive: true });
  for (const { exitCode, err } of ends) {
    const sentence = `No server of Beckon is running on ${empty}. Start one with: beckon serve`;
    expect([exitCode, err]).toEqual([1, sentence]);
  }
});

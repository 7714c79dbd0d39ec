import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ChatEvent, InteractionRecord } from "../../src/protocol/index.ts";
import { Terminal } from "../support/terminal.ts";
import { beckonCommand, BIN, ServerProcess } from "./server-process.ts";

const STAGE = new URL("../browser/plugin", import.meta.url).pathname;
const ENTER = "\r";
const ESCAPE = "\u001B";
const INTERRUPT = "\u0003";
const ERASE_LINE = "\u0015";
/** The keys are drawn bold once they count. */
const keyCounts = (key: string) => `\u001B[1m${key}  \u001B[0m`;

let data: string;
let server: ServerProcess;
let open: Terminal[] = [];

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "beckon-terminal-"));
  server = await ServerProcess.start(data, "--plugins", STAGE);
});
afterEach(async () => {
  for (const terminal of open) terminal.kill();
  open = [];
  // What one test left open would stand in the list of the next.
  for (const { id } of await waiting()) await server.http("POST", `/api/interactions/${id}/cancel`);
});
afterAll(async () => {
  await server.end("SIGTERM");
  rmSync(data, { recursive: true, force: true });
});

/** Runs a command of Beckon in a terminal. */
function beckon(line: string, options: { columns?: number; rows?: number; plain?: boolean } = {}) {
  const { plain, ...size } = options;
  const env = { NO_COLOR: plain ? "1" : undefined, BECKON_DATA: data };
  const command = `${process.execPath} ${BIN} ${line}`;
  const terminal = new Terminal(command, { columns: 70, rows: 40, ...size, env });
  open.push(terminal);
  return terminal;
}

async function waiting(): Promise<InteractionRecord[]> {
  return (await server.http("GET", "/api/interactions")).body.interactions;
}

const ask = async (body: object): Promise<InteractionRecord> =>
  (await server.http("POST", "/api/interactions", body)).body;

const prompt = async (id: string): Promise<InteractionRecord> =>
  (await server.http("GET", `/api/interactions/${id}`)).body;

/** A tool asks, so that also what only tools may ask for can be asked. */
async function askByTool(request: object, next?: object): Promise<string> {
  const session = (await server.http("POST", "/api/sessions", { title: "At work" })).body;
  const content = `/call stage_ask ${JSON.stringify({ request, next })}`;
  await server.http("POST", `/api/sessions/${session.id}/messages`, { content });
  return session.id;
}

async function events(sessionId: string): Promise<ChatEvent[]> {
  return (await server.http("GET", `/api/sessions/${sessionId}/events`)).body.events;
}

test("all of a prompt is shown, with nothing hidden, before one key allows it", async () => {
  const { id } = await ask({
    type: "approval",
    toolName: "release",
    prompt: "Publish\u001B[2J it\u202E?\n  d  Deny",
    toolInput: { command: "npm publish", tries: "3", note: "one\ntwo" },
    // Nothing would keep the wider ones for a program outside, so they are not offered.
    approvalScopes: ["once", "session", "always"],
    timeoutMs: 3_600_000,
  });
  const terminal = beckon(`answer ${id}`, { columns: 60, plain: true });
  await terminal.sees("Nothing is decided.");
  expect(terminal.screen.replace(/\d+ min \d+ s/, "59 min 59 s")).toBe(
    [
      "",
      "── Allow release? ─────────────────────────────────────────",
      "  Owner says",
      "  │ Publish\\u{1B}[2J it\\u{202E}?",
      "  │   d  Deny",
      "",
      "  What was asked",
      "  │ command: npm publish",
      '  │ tries: "3"',
      "  │ note:",
      "  │   one",
      "  │   two",
      "",
      "  Asked by    Owner",
      "  Session     Asked by Owner",
      "",
      "  Time left   59 min 59 s",
      "              Then it does not run, and whoever called is",
      "              told that nobody answered.",
      "",
      "  a    Allow once          Only this time.",
      "  d    Deny",
      "  r    Deny with a reason",
      "  Esc  Back                Nothing is decided.",
    ].join("\n"),
  );
  // Without colours, nothing tells when keys count but the time: it is drawn once more then.
  await terminal.hears("Esc  Back", 2);
  await terminal.decide("a");
  expect(await terminal.end()).toBe(0);
  expect(terminal.screen).toContain("✓ Allowed once.");
  expect(terminal.raw).not.toContain("\u001B[1m");
  expect((await prompt(id)).response).toMatchObject({
    action: "approve",
    approvalScope: "once",
  });
});

test("how far each approval of a tool reaches is said, and one key allows it for the session", async () => {
  const session = (await server.http("POST", "/api/sessions", { title: "At work" })).body;
  await server.http("POST", `/api/sessions/${session.id}/messages`, {
    content: '/call stage_gated {"result":"done"}',
  });
  await expect.poll(async () => (await waiting()).length).toBe(1);
  const [{ id } = { id: "" }] = await waiting();
  const terminal = beckon(`answer ${id}`, { columns: 60, plain: true });
  await terminal.sees("Nothing is decided.");
  expect(terminal.screen).toBe(
    [
      "",
      "── Allow stage_gated? ─────────────────────────────────────",
      "  stage_gated says",
      "  │ Run it?",
      "",
      "  What would run",
      "  │ result: done",
      "",
      "  Session     At work (demo)",
      "",
      "  a    Allow once              Only this time.",
      "  s    Allow for this session  Whenever stage_gated asks",
      "                               for the same again, in this",
      "                               session.",
      "  w    Always allow            Whenever stage_gated asks",
      "                               for the same again, in",
      "                               every session, until you",
      "                               revoke it.",
      "  d    Deny",
      "  r    Deny with a reason",
      "  x    Deny and stop           Also ends the agent’s turn.",
      "  e    Edit the input",
      "  Esc  Back                    Nothing is decided.",
    ].join("\n"),
  );
  await terminal.hears("Esc  Back", 2);
  await terminal.decide("s");
  expect(await terminal.end()).toBe(0);
  expect(terminal.screen).toContain("✓ Allowed for this session.");
  expect((await prompt(id)).response).toMatchObject({
    action: "approve",
    approvalScope: "session",
  });
});

test("keys that come too soon, a stray Enter, a paste and keys all at once decide nothing", async () => {
  const { id } = await ask({ type: "approval", toolName: "release" });
  const terminal = beckon(`answer ${id}`);
  // Typed ahead, while it starts.
  terminal.type("a");
  await terminal.sees("Esc  Back");
  // On a busy machine it may be late already; then it would be no key that comes too soon.
  if (!terminal.raw.includes(keyCounts("a"))) terminal.type("a");
  await terminal.hears(keyCounts("a"));
  await terminal.press(ENTER);
  await terminal.press("\u001B[200~a\u001B[201~");
  await terminal.press("aaaa");
  await terminal.press("q");
  await terminal.decide("d");
  expect(await terminal.end()).toBe(0);
  expect((await prompt(id)).response).toMatchObject({ action: "deny" });
});

test("the inbox shows what comes by itself, and its person counts as there", async () => {
  const terminal = beckon("inbox");
  await terminal.sees("Nothing waits for you.");
  // This tool fails if nobody is there.
  const request = { type: "approval", prompt: "Go on?", whenUnavailable: "throw" };
  const sessionId = await askByTool(request);
  await terminal.sees("At work · Go on?");
  await terminal.press("1");
  await terminal.hears(keyCounts("r"));
  await terminal.decide("r");
  await terminal.sees("Why not?");
  await terminal.press(ENTER);
  await terminal.sees("Write a reason, or go back.");
  terminal.type("Not tday\u001B[D\u001B[D\u001B[Do\u001B[F.");
  await terminal.sees("› Not today.");
  await terminal.press(ENTER);
  await terminal.sees("✓ Denied by you: “Not today.”");
  await terminal.sees("Nothing waits for you.");
  await terminal.press("q");
  expect(await terminal.end()).toBe(0);
  const answer = (await events(sessionId)).find(({ type }) => type === "interaction_response");
  expect(answer?.payload).toMatchObject({ action: "deny", reason: "Not today." });
});

test("a form is filled in field by field; what does not fit is said and kept", async () => {
  const sessionId = await askByTool({
    type: "input",
    inputSchema: {
      type: "form",
      title: "Deployment",
      submitLabel: "Deploy",
      sections: [
        {
          id: "where",
          fields: [
            { id: "host", type: "text", label: "Host", required: true },
            { id: "copies", type: "number", label: "Copies\u001B[2J", max: 9, defaultValue: 2 },
            { id: "password", type: "secret", label: "Password" },
            { id: "notes", type: "textarea", label: "Notes" },
            {
              id: "region",
              type: "select",
              label: "Region",
              options: [
                { value: "eu", label: "Europe" },
                { value: "us", label: "America" },
              ],
            },
            { id: "public", type: "boolean", label: "Public" },
          ],
        },
        {
          id: "mail",
          title: "Mail",
          optional: true,
          fields: [
            { id: "to", type: "text", label: "To", required: true },
            { id: "subject", type: "text", label: "Subject" },
          ],
        },
      ],
    },
  });
  const terminal = beckon("inbox");
  await terminal.sees("Deployment");
  await terminal.press(ENTER);
  await terminal.sees("Host (needed)");
  await terminal.press(ENTER);
  await terminal.sees("This is required.");
  terminal.type(`shop.example${ENTER}`);
  await terminal.sees("Copies\\u{1B}[2J");
  terminal.type(`${ERASE_LINE}99${ENTER}`);
  await terminal.sees("This must be at most 9.");
  await terminal.sees("› 99");
  terminal.type(`${ERASE_LINE}3${ENTER}`);
  await terminal.sees("what you type is not shown");
  terminal.type(`hunter2${ENTER}`);
  await terminal.sees("Alt+Enter");
  terminal.type(`\u001B[200~one\ntwo\u001B[201~${ENTER}`);
  await terminal.sees("Europe");
  terminal.type("2");
  await terminal.sees("Public");
  terminal.type("1");
  await terminal.sees("Mail");
  terminal.type(`${ENTER}Hello${ENTER}`);
  await terminal.hears(keyCounts("s"));
  expect(terminal.screen).toMatch(/Password +••••••\n/);
  await terminal.decide("s");
  // Only the server knows that a section which is begun is to be finished.
  await terminal.sees("to: This is required.");
  await terminal.sees("To (needed)");
  terminal.type(`ada@example.com${ENTER}${ENTER}`);
  await terminal.hears(keyCounts("s"), 2);
  await terminal.decide("s");
  await terminal.sees("✓ Answered.");
  await terminal.press("q");
  expect(await terminal.end()).toBe(0);
  expect(terminal.raw).not.toContain("hunter2");
  const log = await events(sessionId);
  const answer = log.find(({ type }) => type === "interaction_response");
  expect(answer?.payload).toMatchObject({
    input: {
      host: "shop.example",
      copies: 3,
      notes: "one\ntwo",
      region: "us",
      public: true,
      to: "ada@example.com",
      subject: "Hello",
    },
    secretFields: ["password"],
  });
});

test("questions are answered by number, with words of one's own where none fits", async () => {
  const question = (text: string, multiSelect: boolean) => ({
    header: "Paint",
    question: text,
    options: [{ label: "Red", description: "Like a door." }, { label: "Blue" }],
    multiSelect,
  });
  const { id } = await ask({
    type: "input",
    questions: [question("Which colour?", false), question("Which else?", true)],
  });
  const terminal = beckon(`answer ${id}`);
  await terminal.sees("Which colour?");
  terminal.type("3");
  await terminal.sees("Esc back to the options");
  terminal.type(`Beige${ENTER}`);
  await terminal.sees("Which else?");
  await terminal.press(ENTER);
  await terminal.sees("This question needs an answer.");
  terminal.type("12");
  await terminal.sees("[x]", 2);
  terminal.type("1");
  terminal.type(ENTER);
  await terminal.hears(keyCounts("s"));
  await terminal.decide("s");
  expect(await terminal.end()).toBe(0);
  expect((await prompt(id)).response?.input).toEqual({
    answers: { "0": "Beige", "1": '["Blue"]' },
  });
});

test("what a tool asks again begins with what was answered before", async () => {
  const schema = (more: object) => ({
    inputSchema: { type: "form", fields: [{ id: "name", type: "text", label: "Name" }] },
    ...more,
  });
  const next = {
    reprompt: schema({ error: "Not that one.", fieldErrors: { name: "Is taken." } }),
  };
  await askByTool({ type: "input", ...schema({ prompt: "Who?" }) }, next);
  const terminal = beckon("inbox");
  await terminal.sees("Who?");
  await terminal.press("1");
  await terminal.sees("Name");
  terminal.type(`Ada${ENTER}`);
  await terminal.hears(keyCounts("s"));
  await terminal.decide("s");
  await terminal.sees("asked again");
  await terminal.press("1");
  await terminal.sees("Not that one.");
  await terminal.sees("Is taken.");
  await terminal.sees("› Ada");
});

test("a change is shown as a diff, and a key shows the lines that stay", async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`);
  const { id } = await ask({
    type: "approval",
    toolName: "Edit",
    toolInput: {
      file_path: "/srv/compute.ts",
      old_string: lines.join("\n"),
      new_string: lines.with(30, "new thirty").join("\n"),
    },
  });
  const terminal = beckon(`answer ${id}`, { columns: 60, plain: true });
  await terminal.sees("Nothing is decided.");
  expect(terminal.screen).toContain(
    [
      "  What was asked",
      "  │ file: /srv/compute.ts",
      "  │ … 27 unchanged lines",
      "  │   line 27",
      "  │   line 28",
      "  │   line 29",
      "  │ - line 30",
      "  │ + new thirty",
      "  │   line 31",
      "  │   line 32",
      "  │   line 33",
      "  │ … 26 unchanged lines",
    ].join("\n"),
  );
  await terminal.sees("v    Show unchanged lines too");
  await terminal.decide("v");
  await terminal.sees("more lines · Space shows them");
  terminal.type(" ");
  await terminal.sees("│   line 59");
  await terminal.sees("Nothing is decided.");
});

test("what becomes of files is a list of them, then a diff of each", async () => {
  const { id } = await ask({
    type: "approval",
    toolName: "apply_patch",
    toolInput: {},
    changes: [
      {
        path: "price.ts",
        kind: "edit",
        oldText: "const price = 10;\n",
        newText: "const price = 12;\n",
      },
      { path: "old.ts", kind: "delete", oldText: "gone\n" },
      { path: "one.ts", kind: "move", to: "two.ts" },
    ],
  });
  const terminal = beckon(`answer ${id}`, { columns: 60, plain: true });
  await terminal.sees("Nothing is decided.");
  expect(terminal.screen).toContain(
    [
      "  3 files",
      "  price.ts +1 −1",
      "  Delete old.ts −1",
      "  Move one.ts to two.ts",
      "",
      "  price.ts +1 −1",
      "  │ - const price = 10;",
      "  │ + const price = 12;",
      "  Delete old.ts −1",
      "  │ - gone",
      "  Move one.ts to two.ts",
      "  │ What is in it stays.",
    ].join("\n"),
  );
  expect(terminal.screen).toContain("Change 3 files?");
});

test("editing a command edits the command, and what runs is said", async () => {
  const session = (await server.http("POST", "/api/sessions", { title: "At work" })).body;
  const content = `/call bash ${JSON.stringify({ command: 'echo "one"' })}`;
  await server.http("POST", `/api/sessions/${session.id}/messages`, { content });
  const terminal = beckon("inbox");
  await terminal.sees("Run this command?");
  terminal.type("1");
  await terminal.hears(keyCounts("e"));
  await terminal.decide("e");
  await terminal.sees('› echo "one"');
  terminal.type(ERASE_LINE);
  terminal.type('echo "two"');
  terminal.type(ENTER);
  await terminal.sees("Would run now");
  await terminal.sees("Nothing is decided.");
  await terminal.decide("a");
  await terminal.sees("Allowed once, as edited.");
  const all = await events(session.id);
  const response = all.find(({ type }) => type === "interaction_response");
  expect(response?.payload).toMatchObject({ updatedInput: { command: 'echo "two"' } });
});

test("what an agent says of a command stands apart from the command, as its words", async () => {
  const session = (await server.http("POST", "/api/sessions", { title: "At work" })).body;
  const input = { command: "ls", cwd: "/srv", description: "Looks\u202E around" };
  const content = `/call bash ${JSON.stringify(input)}`;
  await server.http("POST", `/api/sessions/${session.id}/messages`, { content });
  const terminal = beckon("inbox");
  await terminal.sees("Run this command?");
  terminal.type("1");
  await terminal.hears(keyCounts("e"));
  expect(terminal.screen).toContain(
    [
      "  The agent says",
      "  │ Looks\\u{202E} around",
      "",
      "  What would run",
      "  │ command: ls",
      "  │ folder: /srv",
      "",
    ].join("\n"),
  );
});

test("a prompt that somebody else answers says so at once, by whom and what", async () => {
  const { stdout } = await beckonCommand(
    ...["token", "create", "--kind", "person", "--name", "Ada", "--data", data],
  );
  const { id } = await ask({ type: "approval", toolName: "release" });
  const terminals = [beckon(`answer ${id}`), beckon("inbox")] as const;
  await terminals[1].sees("Allow release?");
  await terminals[1].press("1");
  for (const terminal of terminals) await terminal.sees("Esc  Back");
  const authorization = `Bearer ${stdout.trim().split("\n").at(-1)}`;
  const body = { action: "deny", reason: "Friday" };
  await server.http("POST", `/api/interactions/${id}/respond`, body, { authorization });
  expect(await terminals[0].end()).toBe(1);
  for (const terminal of terminals) await terminal.sees("Already denied by Ada: “Friday”.");
  await terminals[1].sees("Nothing waits for you.");
});

test("what is more than a screen is shown to its end before it can be decided", async () => {
  const content = Array.from({ length: 50 }, (_none, at) => `line ${at + 1}`).join("\n");
  const { id } = await ask({ type: "approval", toolName: "write", toolInput: { content } });
  const terminal = beckon(`answer ${id}`, { rows: 20 });
  await terminal.sees("more lines");
  expect(terminal.screen).not.toContain("Allow once");
  await terminal.press("a");
  for (const line of ["line 20", "line 40"]) {
    await terminal.press(" ");
    await terminal.sees(line);
  }
  await terminal.press(" ");
  await terminal.sees("line 50");
  await terminal.sees("Allow once");
  await terminal.press(ESCAPE);
  expect(await terminal.end()).toBe(8);
  expect((await prompt(id)).status).toBe("pending");
});

test("an answer that is given while the server is away arrives when it is back", async () => {
  const { id } = await ask({ type: "approval", toolName: "release" });
  const terminal = beckon(`answer ${id}`);
  await terminal.hears(keyCounts("a"));
  await server.end("SIGKILL");
  await terminal.sees("The server is away; trying again.");
  await terminal.decide("a");
  await terminal.sees("Sending…");
  server = await ServerProcess.start(data, "--plugins", STAGE);
  expect(await terminal.end()).toBe(0);
  expect((await prompt(id)).response).toMatchObject({ action: "approve" });
});

test("Ctrl+C leaves at once with 130, and the terminal is as it was", async () => {
  const { id } = await ask({ type: "approval", toolName: "release" });
  for (const line of ["inbox", `answer ${id}`]) {
    const command = `${process.execPath} ${BIN} ${line} --data ${data}`;
    const script = `before=$(stty -g); ${command}; code=$?; test "$before" = "$(stty -g)" && echo "same, $code"; exit $code`;
    const terminal = new Terminal(script, { columns: 70 });
    open.push(terminal);
    await terminal.sees("Allow release?");
    terminal.type(INTERRUPT);
    await terminal.sees("same, 130");
    expect(await terminal.end()).toBe(130);
    expect(terminal.raw.lastIndexOf("\u001B[?25h")).toBeGreaterThan(
      terminal.raw.lastIndexOf("\u001B[?25l"),
    );
    expect(terminal.raw.lastIndexOf("\u001B[?2004l")).toBeGreaterThan(
      terminal.raw.lastIndexOf("\u001B[?2004h"),
    );
  }
  expect((await prompt(id)).status).toBe("pending");
});

test("tail ends quietly when nobody reads it any more", async () => {
  const sessionId = (await ask({ type: "approval" })).sessionId;
  const terminal = new Terminal(
    `(${process.execPath} ${BIN} tail ${sessionId} --all --data ${data}; echo "ended $?" >&2) | head -n 1`,
  );
  open.push(terminal);
  await terminal.sees("ended 0");
  expect(terminal.screen).not.toContain("EPIPE");
});

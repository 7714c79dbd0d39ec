import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";
import type { InboxPerson } from "../../../test/support/inbox-person.ts";
import type { Circumstances } from "../../../test/support/run-command.ts";

let at: CommandLine;
let person: InboxPerson;

beforeAll(async () => {
  at = await CommandLine.start();
  person = await at.person();
});
afterAll(() => at[Symbol.asyncDispose]());

/** Runs a command and answers what it asks. */
async function asked(args: string[], answer: Record<string, unknown>, given?: Circumstances) {
  const running = at.start(args, given);
  const prompt = await person.say(answer);
  return { prompt, ...(await running.done) };
}

const submit = (answer: unknown) => ({ action: "submit", input: { answer } });

test("a question is a form of one field, and its answer is all that is on stdout", async () => {
  const { prompt, exitCode, out, err } = await asked(["ask", "Which name?"], submit("Ada & Co"));
  expect([exitCode, out]).toEqual([0, ["Ada & Co"]]);
  expect(err).toBe(
    `Waiting for an answer at ${at.url}/#/s/${prompt.sessionId}/i/${prompt.id}\n` +
      "Answered by Owner.",
  );
  expect(prompt).toMatchObject({
    toolName: "ask",
    request: {
      interactionType: "input",
      presentation: "questionnaire",
      prompt: "Which name?",
      inputSchema: {
        fields: [{ id: "answer", type: "text", label: "Which name?", required: true }],
      },
    },
  });
  expect(prompt).not.toHaveProperty("expiresAt");
  const { events } = await at.http("GET", `/api/sessions/${prompt.sessionId}/events`);
  expect(events[0]).toMatchObject({ type: "tool_call", payload: { origin: "cli" } });
});

test("a question of several lines has the first as its title and room for a long answer", async () => {
  const given = { stdin: "What changed?\n\nSince 1.0.\n" };
  const { prompt, out } = await asked(["ask", "-", "--multiline"], submit("a\nb"), given);
  expect(prompt.request).toMatchObject({
    prompt: "What changed?\n\nSince 1.0.",
    inputSchema: { title: "What changed?", fields: [{ label: "What changed?", type: "textarea" }] },
  });
  expect(out).toEqual(["a\nb"]);
});

const FORM = { title: "Who?", fields: [{ id: "name", type: "text", label: "Name" }] };

test("a form comes from stdin, and what was filled in is printed as JSON", async () => {
  const { prompt, out } = await asked(
    ["ask", "--schema", "-"],
    { action: "submit", input: { name: "Ada" } },
    { stdin: JSON.stringify(FORM) },
  );
  expect(prompt.request.inputSchema).toMatchObject({ type: "form", ...FORM });
  expect(out).toEqual(['{"name":"Ada"}']);
});

const QUESTIONS = [
  {
    header: "Where",
    question: "Where to?",
    options: [{ label: "Here" }, { label: "There" }],
    multiSelect: false,
  },
  {
    header: "What",
    question: "What?",
    options: [{ label: "A" }, { label: "B" }],
    multiSelect: true,
  },
];

test("questions come from stdin, and their answers are texts and lists of texts", async () => {
  const { prompt, out } = await asked(
    ["ask", "Two things", "--questions", "-"],
    { action: "submit", input: { answers: { 0: "There", 1: '["A","C"]' } } },
    { stdin: JSON.stringify(QUESTIONS) },
  );
  expect(prompt.request).toMatchObject({ prompt: "Two things", questions: QUESTIONS });
  expect(out).toEqual(['{"0":"There","1":["A","C"]}']);
});

test("with --json one object says everything", async () => {
  const answered = await asked(["ask", "Which?", "--json"], submit("this"));
  const { prompt } = answered;
  const { id, sessionId, toolCallId } = prompt;
  expect(answered.out).toHaveLength(1);
  expect(JSON.parse(answered.out[0] ?? "")).toEqual({
    id,
    sessionId,
    toolCallId,
    status: "answered",
    action: "submit",
    answer: "this",
    responder: { id: "owner", name: "Owner" },
  });
  const denied = await asked(["confirm", "Sure?", "--json"], { action: "deny", reason: "No." });
  expect(denied.exitCode).toBe(3);
  expect(denied.out).toHaveLength(1);
  expect(JSON.parse(denied.out[0] ?? "")).toMatchObject({ action: "deny", reason: "No." });
});

test("a yes ends confirm with 0 and a no with 3, and neither prints anything on stdout", async () => {
  const yes = await asked(["confirm", "Deploy?"], { action: "approve" });
  expect([yes.exitCode, yes.out]).toEqual([0, []]);
  expect(yes.err).toMatch(/\nAllowed once by Owner\.$/);
  expect(yes.prompt.request).toMatchObject({
    interactionType: "approval",
    prompt: "Deploy?",
    approvalScopes: ["once"],
  });
  const no = await asked(["confirm", "Deploy?"], {
    action: "deny",
    reason: "Not on\u001b[1mFriday",
  });
  expect([no.exitCode, no.out]).toEqual([3, []]);
  expect(no.err).toMatch(/\nDenied by Owner: “Not on\\u\{1B\}\[1mFriday”\.$/);
});

test("what is to be approved is shown: JSON by its parts, text as it is", async () => {
  const confirm = ["confirm", "Run it?", "--name", "deploy", "--details", "-"];
  const json = await asked(confirm, { action: "approve" }, { stdin: '{"command":"ls"}' });
  expect(json.prompt).toMatchObject({
    toolName: "deploy",
    request: { toolInput: { command: "ls" } },
  });
  const text = await asked(confirm, { action: "approve" }, { stdin: "12 files\n" });
  expect(text.prompt.request.toolInput).toBe("12 files\n");
});

test("one of several is chosen by its label, whatever stands in it", async () => {
  const labels = ["A", "b c", 'd"e', "ü\u202e"];
  const { prompt, out } = await asked(["choose", "Which?", ...labels], submit("ü\u202e"));
  expect(prompt.request.inputSchema?.fields).toMatchObject([
    { id: "answer", type: "radio", options: labels.map((label) => ({ value: label, label })) },
  ]);
  expect(out).toEqual(["ü\u202e"]);
});

test("many are folded, and with --multi each that was chosen has its line", async () => {
  const stdin = `${Array.from({ length: 12 }, (_one, index) => `file ${index}`).join("\n")}\n`;
  const one = await asked(["choose", "Which?", "-"], submit("file 3"), { stdin });
  expect(one.prompt.request.inputSchema?.fields).toMatchObject([{ type: "select" }]);
  expect(one.out).toEqual(["file 3"]);
  const chosen = submit(["file 1", "file 11"]);
  const several = await asked(["choose", "Which?", "-", "--multi"], chosen, { stdin });
  expect(several.prompt.request.inputSchema?.fields).toMatchObject([{ type: "multiselect" }]);
  expect(several.out).toEqual(["file 1", "file 11"]);
});

test("what a person wrote cannot play with a terminal, and reaches a program as it is", async () => {
  const answer = submit("red\u001b[2J\nblue");
  const shown = await asked(["ask", "Which?", "--multiline"], answer, { isTerminal: true });
  expect(shown.out).toEqual(["red\\u{1B}[2J\nblue"]);
  expect((await asked(["ask", "Which?", "--multiline"], answer)).out).toEqual([
    "red\u001b[2J\nblue",
  ]);
});

test("a session can be named, by an option and by the environment", async () => {
  const session = await at.http("POST", "/api/sessions", { title: "Here" });
  const other = await at.http("POST", "/api/sessions", { title: "There" });
  const env = { BECKON_SESSION_ID: other.id };
  const named = await asked(["ask", "Q", "--session", session.id], submit("a"), { env });
  expect(named.prompt.sessionId).toBe(session.id);
  expect((await asked(["ask", "Q"], submit("a"), { env })).prompt.sessionId).toBe(other.id);
});

test("who does not wait gets the id, and waits later for the same end", async () => {
  const { exitCode, out, err } = await at.beckon(["ask", "Which?", "--no-wait"]);
  const { id } = await person.next();
  expect({ exitCode, out, err }).toEqual({ exitCode: 0, out: [id], err: "" });
  const early = at.start(["wait", id]);
  await at.http("POST", `/api/interactions/${id}/respond`, submit("late"));
  expect(await early.done).toMatchObject({ exitCode: 0, out: ["late"] });
  expect(await at.beckon(["wait", id])).toMatchObject({ exitCode: 0, out: ["late"] });
  const json = await at.beckon(["ask", "Which?", "--no-wait", "--json"]);
  const next = await person.next();
  expect(JSON.parse(json.out.join(""))).toMatchObject({ id: next.id, status: "pending" });
});

test("what is withdrawn ends whoever waits, and what was answered is not withdrawn", async () => {
  const running = at.start(["ask", "Which?"]);
  const { id } = await person.next();
  expect(await at.beckon(["cancel", id])).toEqual({ exitCode: 0, out: [], err: "Withdrawn." });
  expect(await running.done).toMatchObject({ exitCode: 5, out: [] });
  expect((await at.beckon(["cancel", id])).exitCode).toBe(0);
  const { prompt } = await asked(["confirm", "Now?"], { action: "deny", reason: "No." });
  expect(await at.beckon(["cancel", prompt.id])).toEqual({
    exitCode: 1,
    out: [],
    err: "It is too late to withdraw it. Denied by Owner: “No.”.",
  });
});

import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAskingPrograms } from "./asking-programs.ts";
import { defineTool } from "./core/index.ts";
import { literalWords } from "./core/outside/shell-words.ts";

const OURS = realpathSync(new URL("..", import.meta.url));
const PROGRAM = join(OURS, "bin", "beckon.js");
const URL_HERE = "http://127.0.0.1:4780";

const tool = { name: "one", description: "", parameters: {}, handler: () => null };
const OPERATIONS = new Map([
  ["release/publish", defineTool({ ...tool, approval: {} })],
  ["release/colour", defineTool({ ...tool, onlyAsks: true })],
  ["release/touch", defineTool(tool)],
]);

const create = () =>
  createAskingPrograms({
    address: () => URL_HERE,
    findOperation: (plugin, id) => OPERATIONS.get(`${plugin}/${id}`),
  });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "beckon-asking-"));
  symlinkSync(OURS, join(folder, "linked"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (place: string) => ({ sessionId: "s1", toolCallId: "c1", folder: place });

test("what only asks is run by this very program, with the words that were read", () => {
  const programs = create();
  expect(programs.programFor("beckon ask 'Which colour?'")).toEqual([
    process.execPath,
    PROGRAM,
    "ask",
    "Which colour?",
  ]);
  expect(programs.programFor("beckon ask 'Which colour?' | sh")).toBeUndefined();
});

test("a shell of a runtime gets the program and its words quoted, and where to ask", () => {
  const line = create().lineFor(String.raw`beckon ask 'What'\''s $HOME?' --json`, at(folder));
  expect(literalWords(line ?? "")).toEqual([
    "NODE_OPTIONS=",
    "BECKON_DATA=/dev/null",
    `BECKON_URL=${URL_HERE}`,
    "BECKON_SESSION_ID=s1",
    "BECKON_TOOL_CALL_ID=c1",
    process.execPath,
    PROGRAM,
    "ask",
    "What's $HOME?",
    "--json",
  ]);
});

test.each([
  ["beckon ask colour", true],
  ["beckon call release publish '{}'", true],
  ["beckon call release colour", true],
  ["beckon call release touch '{}'", false],
  ["beckon call release nothing '{}'", false],
  ["beckon call nobody publish '{}'", false],
  ["beckon ask colour --schema form.json", false],
])("nobody need allow it: %s, %s", (command, expected) => {
  const programs = create();
  expect(programs.onlyAsks(command)).toBe(expected);
  expect(programs.lineFor(command, at(folder)) !== undefined).toBe(expected);
});

test("where this server cannot be reached nothing asks through it", () => {
  const programs = createAskingPrograms({
    address: () => undefined,
    findOperation: () => undefined,
  });
  expect(programs.programFor("beckon ask colour")).toBeUndefined();
  expect(programs.onlyAsks("beckon ask colour")).toBe(false);
  expect(programs.lineFor("beckon ask colour", at(folder))).toBeUndefined();
});

test.each([
  ["that holds the program", () => OURS],
  ["above it", () => dirname(OURS)],
  ["of everything", () => "/"],
  ["inside it", () => join(OURS, "src")],
  ["that leads to it", () => join(folder, "linked")],
  ["that leads into it", () => join(folder, "linked", "src")],
  ["that holds Node", () => dirname(process.execPath)],
  ["that is not there", () => join(folder, "missing")],
])("no line is given to an agent in a folder %s", (_where, place) => {
  expect(create().lineFor("beckon ask colour", at(place()))).toBeUndefined();
});

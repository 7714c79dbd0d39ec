import { expect, test } from "vitest";
import {
  AGENT_ERROR_CODES,
  CLOSE_CODES,
  DEFAULTS,
  HTTP_STATUS,
  LIMITS,
  TOOL_ERROR_CODES,
} from "../../src/protocol/index.ts";
import { readPage, rowsOf, sectionOf, sectionsOf } from "../support/markdown.ts";
import { sourceFiles } from "../support/source-files.ts";

const page = readPage("docs/reference/errors.md");

/** How the text under a code begins: by what it is met as. */
function kinds(): Record<string, string[]> {
  const of: Record<string, string[]> = {};
  for (const [code, status] of Object.entries(HTTP_STATUS)) of[code] = [`HTTP ${status}`];
  for (const code of TOOL_ERROR_CODES) (of[code] ??= []).push("Tool error");
  for (const code of AGENT_ERROR_CODES) (of[code] ??= []).push("Agent error");
  return of;
}

test("every error code has its heading, with its status, and no heading is left over", () => {
  const shown = Array.from(sectionsOf(page, 3), ([code, text]) => [
    code,
    text.match(/HTTP \d+|Tool error|Agent error/g) ?? [],
  ]);
  expect(Object.fromEntries(shown)).toEqual(kinds());
});

test("every code says what it means before anything else", () => {
  for (const [code, text] of sectionsOf(page, 3)) {
    expect(text.trim(), code).toMatch(/^(HTTP \d+|Tool error|Agent error)/);
  }
});

test("every close code is listed under its name", () => {
  const rows = rowsOf(sectionOf(page, "## Close codes of the WebSocket"));
  const shown = rows.map(([code, name = ""]) => [name.replaceAll("`", ""), Number(code)]);
  expect(Object.fromEntries(shown)).toEqual(CLOSE_CODES);
});

test("no tool error that the sources name is missing from the list", () => {
  const known: readonly string[] = TOOL_ERROR_CODES;
  const named = sourceFiles().flatMap(({ path, text }) =>
    Array.from(text.matchAll(/new ToolError\(\s*"(\w+)"/g), ([, code]) => `${path}: ${code}`),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((one) => !known.includes(one.split(": ")[1] ?? ""))).toEqual([]);
});

test("the numbers on the page are those of the limits", () => {
  const count = (number: number) => number.toLocaleString("en");
  for (const sentence of [
    `${LIMITS.openPromptsPerSession} open prompts a session or ${count(LIMITS.openPromptsPerServer)} a server`,
    `${LIMITS.queuedMessagesPerSession} queued messages a session`,
    `${count(LIMITS.subscriptionsPerClient)} sessions followed on one connection`,
    `${LIMITS.framesInFlightPerClient} frames under way`,
    `more than ${LIMITS.reprompts} times in one call`,
    `nested deeper than ${LIMITS.jsonDepth} levels`,
    `larger than ${LIMITS.messageBytes / 1024} KiB, or one text in it longer than ${LIMITS.jsonStringBytes / 1024} KiB`,
    `more than ${LIMITS.messageBytes / 1024} KiB, or the \`hello\` more than ${LIMITS.helloBytes / 1024} KiB`,
    `more than ${LIMITS.queuedBytesPerClient / 1024 / 1024} MiB of live frames`,
    `within ${DEFAULTS.helloTimeoutMs / 1_000} seconds`,
  ]) {
    expect(page).toContain(sentence);
  }
});

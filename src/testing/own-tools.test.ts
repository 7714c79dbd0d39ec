import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAskByMailTool } from "../../examples/email-fallback/ask-by-mail.js";
import { builtinTools } from "../plugins/index.ts";
import {
  checkDurableTool,
  type DurableToolOptions,
  loadPluginTools,
  type PluginTools,
} from "./index.ts";

/* What Beckon ships keeps the rules that it asks others to keep. */

const [askUser, askQuestions] = ["ask_user", "ask_questions"].map((name) =>
  builtinTools.find((tool) => tool.name === name),
);
const folder = fileURLToPath(new URL("../../examples/plugins/demo-tools", import.meta.url));

const mails = new Set<string>();
const askByMail = createAskByMailTool({
  to: "ann@example.com",
  waitMs: 5_000,
  linkTo: (sessionId, interactionId) => `${sessionId}/${interactionId}`,
  send: async ({ id, link }) => void mails.add(`${id} ${link}`),
});

let plugin: PluginTools;
beforeAll(async () => {
  plugin = await loadPluginTools(folder);
});
afterAll(() => plugin.close());

const question = {
  header: "Colour",
  question: "Which colour?",
  options: [{ label: "Red" }, { label: "Blue" }],
  multiSelect: false,
};
const email = (address: string) => ({ action: "submit" as const, input: { email: address } });

test.each<
  [string, () => Parameters<typeof checkDurableTool>[0] | undefined, DurableToolOptions, unknown]
>([
  [
    "ask_user, answered",
    () => askUser,
    { args: { question: "Name?" }, answers: [{ action: "submit", input: { answer: "Ann" } }] },
    { ok: true, answer: "Ann" },
  ],
  [
    "ask_user, cancelled",
    () => askUser,
    { args: { question: "Which?", options: ["a", "b"] }, answers: [{ action: "cancel" }] },
    { ok: false, cancelled: true },
  ],
  [
    "ask_questions",
    () => askQuestions,
    {
      args: { questions: [question] },
      answers: [{ action: "submit", input: { answers: { 0: "Blue" } } }],
    },
    { ok: true, answers: { 0: "Blue" } },
  ],
  [
    "delete-files, approved for the session",
    () => plugin.operation("delete-files"),
    { args: { files: ["a"] }, answers: [{ action: "approve", approvalScope: "session" }] },
    { ok: true, deleted: ["a"] },
  ],
  [
    "delete-files, denied",
    () => plugin.operation("delete-files"),
    { args: { files: ["a", "b"] }, answers: [{ action: "deny" }] },
    { ok: false, denied: true },
  ],
  [
    "collect-email, at the second try",
    () => plugin.operation("collect-email"),
    { answers: [email("nonsense"), email("ann@example.com")] },
    { ok: true, email: "ann@example.com" },
  ],
  [
    "ask-later, too late",
    () => plugin.operation("ask-later"),
    { args: { question: "Now?", waitSeconds: 5 }, answers: ["timeout"] },
    expect.objectContaining({ pending: true, queued: true }),
  ],
  [
    "ask_by_mail, when nobody answers",
    () => askByMail,
    { args: { question: "Now?" }, answers: ["timeout"], effects: () => mails.size },
    expect.objectContaining({ pending: true, queued: true }),
  ],
])("%s", async (_name, tool, options, result) => {
  const report = await checkDurableTool(tool()!, options);
  expect(String(report)).toMatch(/kept every rule in \d+ runs\.$/);
  expect(report.end).toEqual({ ok: true, result });
});

test("a plugin that is broken is not loaded, and says why", async () => {
  await expect(loadPluginTools("/nowhere/at/all")).rejects.toThrow("is broken");
  expect(() => plugin.operation("dance")).toThrow('no operation "dance"');
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { CodeHouse } from "./code-house.ts";

let house: CodeHouse;
let options: string[];
beforeAll(async () => {
  house = await CodeHouse.open();
  await house.connect("--write");
  await house.connect("--remove");
  options = shownOptions(await house.connect());
});
afterAll(() => house.close());

/** What `beckon connect claude` says to put on the command line. */
function shownOptions(shown: string): string[] {
  const [, config = ""] = /--mcp-config '(.*)'/.exec(shown) ?? [];
  const [, tool = ""] = /--permission-prompt-tool (\S+)/.exec(shown) ?? [];
  return ["--permission-prompt-tool", tool, "--mcp-config", config];
}

const QUESTIONS = [
  {
    question: "Which colour?",
    header: "Colour",
    multiSelect: false,
    options: [
      { label: "Red", description: "Warm" },
      { label: "Blue", description: "Cold" },
    ],
  },
  {
    question: "Which sizes?",
    header: "Sizes",
    multiSelect: true,
    options: [
      { label: "S", description: "Small" },
      { label: "L", description: "Large" },
    ],
  },
];

test("what a person approved runs", async () => {
  house.model.answer([says(toolUse("toolu_p1", "Bash", { command: "mkdir one" })), says("Done.")]);
  const ended = house.code(...options);
  const prompt = await house.answer({ action: "approve" });
  expect(prompt.request.toolInput).toEqual({ command: "mkdir one" });
  expect((await ended).terminal_reason).toBe("completed");
  expect(house.made("one")).toBe(true);
  expect(house.received("toolu_p1")).toMatchObject({ isError: false });
});

test("the model reads why a person said no", async () => {
  house.model.answer([says(toolUse("toolu_p2", "Bash", { command: "mkdir two" })), says("I see.")]);
  const ended = house.code(...options);
  await house.answer({ action: "deny", reason: "Two is too many." });
  await ended;
  expect(house.made("two")).toBe(false);
  expect(house.received("toolu_p2")).toMatchObject({ isError: true });
  expect(house.received("toolu_p2")?.text).toContain("Two is too many.");
});

test("deny and stop ends the turn", async () => {
  const before = house.model.requests.length;
  house.model.answer([says(toolUse("toolu_p3", "Bash", { command: "mkdir three" }))]);
  const ended = house.code(...options);
  await house.answer({ action: "deny", stop: true });
  expect((await ended).terminal_reason).toBe("aborted_tools");
  expect(house.model.requests.length - before).toBe(1);
});

test("questions are there, and the model reads the answers", async () => {
  house.model.answer((request) =>
    latest(request).results.length > 0
      ? says("Thank you.")
      : says(toolUse("toolu_p4", "AskUserQuestion", { questions: QUESTIONS })),
  );
  const ended = house.code(...options);
  const prompt = await house.answer({
    action: "submit",
    input: { answers: { 0: "Blue", 1: '["S","XL please"]' } },
  });
  expect(prompt.request).toMatchObject({
    interactionType: "input",
    questions: [{ question: "Which colour?" }, { question: "Which sizes?" }],
  });
  await ended;
  const { text = "", isError } = house.received("toolu_p4") ?? {};
  expect(isError).toBe(false);
  expect(text).toContain('"Which colour?"="Blue"');
  expect(text).toContain('"Which sizes?"="S, XL please"');
});

test("several calls of one message are asked, and each gets its own answer", async () => {
  house.model.answer([
    says(
      toolUse("toolu_p5", "Bash", { command: "mkdir left" }),
      toolUse("toolu_p6", "Bash", { command: "mkdir right" }),
    ),
    says("Done."),
  ]);
  const ended = house.code(...options);
  for (let count = 0; count < 2; count++) {
    const prompt = await house.watch.prompt();
    const isLeft = prompt.request.toolInput.command === "mkdir left";
    await house.respond(prompt.id, { action: isLeft ? "approve" : "deny" });
  }
  await ended;
  expect([house.made("left"), house.made("right")]).toEqual([true, false]);
  expect(house.received("toolu_p6")?.text).toContain("The user denied this tool call.");
});

test("with the hook in the settings as well, one ask is one card", async () => {
  await house.connect("--write");
  house.model.answer([says(toolUse("toolu_p9", "Bash", { command: "mkdir nine" })), says("Done.")]);
  const ended = house.code(...options);
  // Also where the slower of the two asks when it has been answered.
  const { sessionId } = await house.answer({ action: "approve" });
  expect((await ended).terminal_reason).toBe("completed");
  expect(house.made("nine")).toBe(true);
  const events = await house.server.http("GET", `/api/sessions/${sessionId}/events`);
  const asked = events.body.events.filter(({ type }: any) => type === "interaction_request");
  expect(asked).toHaveLength(1);
  await house.connect("--remove");
});

test("a server that is killed while people think is asked again when it is back", async () => {
  house.model.answer([
    says(toolUse("toolu_p7", "Bash", { command: "mkdir seven" })),
    says("Done."),
  ]);
  const ended = house.code(...options);
  const { id } = await house.watch.prompt();
  await house.server.end("SIGKILL");
  await house.start();
  await house.respond(id, { action: "approve" });
  await ended;
  expect(house.made("seven")).toBe(true);
});

test("with the server away nothing runs, and the model reads why", async () => {
  await house.server.end("SIGTERM");
  house.model.answer([
    says(toolUse("toolu_p8", "Bash", { command: "mkdir eight" })),
    says("I see."),
  ]);
  await house.code(...options);
  await house.start();
  expect(house.made("eight")).toBe(false);
  expect(house.received("toolu_p8")?.text).toContain("Nobody could be asked");
  expect(house.received("toolu_p8")?.text).toContain("beckon serve");
});

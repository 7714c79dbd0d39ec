import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askerOfOperation, askerOfPrompt } from "./asker-words.ts";
import { matchCommand } from "./match-command.ts";

const bash = (id: string, command: unknown) => ({ id, input: { command } });
const cli = (command: string) => askerOfPrompt(command, { type: "input" });
const http = (prompt: string) => askerOfPrompt(undefined, { type: "input", prompt });

const COLOUR = `beckon ask "Which colour?"`;

describe("by its command line", () => {
  test.each([
    COLOUR,
    `cd /tmp && ${COLOUR}`,
    `ANSWER=$(${COLOUR} --json | jq .answer)`,
    `/opt/tools/beckon ask 'Which colour?' --timeout 5m`,
    `set -e\nbeckon --session s1 ask "Which colour?"\necho done`,
  ])("a program is found in the command that runs it: %s", (command) => {
    expect(matchCommand(cli(COLOUR), [bash("a", command)])).toEqual({ id: "a", sure: true });
  });

  test("a command that holds other words is likely, but not sure", () => {
    const other = [bash("a", `beckon ask "$QUESTION"`)];
    expect(matchCommand(cli(COLOUR), other)).toEqual({ id: "a", sure: false });
  });

  test.each([
    `beckon inbox`,
    `beckon confirm "Which colour?"`,
    `tail -f beckon/ask.log`,
    `beckon sessions; echo ask "Which colour?"`,
    `./ask.sh "Which colour?"`,
    `notbeckon ask "Which colour?"`,
  ])("another command is not its place: %s", (command) => {
    expect(matchCommand(cli(COLOUR), [bash("a", command)])).toBe("none");
  });

  test("an operation needs its plugin and its name too", () => {
    const asker = askerOfOperation(`beckon call deploy run '{"to":"prod"}'`, ["deploy", "run"], {});
    const matches = (command: string) => matchCommand(asker, [bash("a", command)]);
    expect(matches(`beckon call deploy run '{"to":"prod"}'`)).toEqual({ id: "a", sure: true });
    expect(matches(`beckon call deploy plan '{"to":"prod"}'`)).toBe("none");
    expect(matches(`beckon call other run '{"to":"prod"}'`)).toBe("none");
  });
});

describe("by the address that it calls", () => {
  test("a question is found in the command that posts it", () => {
    const command = `curl -s "$BECKON_URL/api/interactions" -d '{"prompt":"Which colour?"}'`;
    expect(matchCommand(http("Which colour?"), [bash("a", command)])).toEqual({
      id: "a",
      sure: true,
    });
    expect(matchCommand(http("Which colour?"), [bash("a", COLOUR)])).toBe("none");
  });

  test("an operation is found by its plugin, its name and its arguments", () => {
    const asker = askerOfOperation(undefined, ["deploy", "run"], { to: "prod" });
    const path = "$BECKON_URL/api/plugins/deploy/operations/run";
    const calls = [
      bash("a", `curl ${path} -d '{"to":"test"}'`),
      bash("b", `curl ${path} -d '{"to":"prod"}'`),
    ];
    expect(matchCommand(asker, calls)).toEqual({ id: "b", sure: true });
  });
});

describe("what is a command line", () => {
  test.each([
    { command: COLOUR, description: "Asks" },
    { cmd: COLOUR },
    { script: COLOUR },
    { command: ["bash", "-lc", COLOUR] },
    { argv: ["beckon", "ask", "Which colour?"] },
    { action: { type: "exec", command: ["bash", "-lc", COLOUR] } },
  ])("what shells call it: %j", (input) => {
    expect(matchCommand(cli(COLOUR), [{ id: "a", input }])).toEqual({ id: "a", sure: true });
  });

  test.each([
    { file_path: "ask.sh", content: COLOUR },
    { description: COLOUR },
    { command: { text: COLOUR } },
    { prompt: COLOUR },
    { edits: [{ command: COLOUR }] },
    COLOUR,
    null,
    undefined,
  ])("a text that only holds the same words is none: %j", (input) => {
    expect(matchCommand(cli(COLOUR), [{ id: "a", input }])).toBe("none");
  });
});

test("of several the one with the most of its words is the one", () => {
  const calls = [bash("a", `beckon ask "Which size?"`), bash("b", COLOUR)];
  expect(matchCommand(cli(COLOUR), calls)).toEqual({ id: "b", sure: true });
});

test("of two that fit equally neither is", () => {
  expect(matchCommand(cli(COLOUR), [bash("a", COLOUR), bash("b", COLOUR)])).toBe("tie");
});

const words = fc.array(fc.constantFrom("red", "green", "blue", "size", "Ärger", "42"), {
  maxLength: 4,
});
const command = fc.oneof(
  words.map((some) => `beckon ask "${some.join(" ")}"`),
  words.map((some) => `echo ${some.join(" ")}`),
  fc.string(),
);

test("the order in which calls began does not matter", () => {
  fc.assert(
    fc.property(words, fc.array(command, { maxLength: 5 }), (asked, commands) => {
      const asker = cli(`beckon ask "${asked.join(" ")}"`);
      const calls = commands.map((text, index) => bash(String(index), text));
      expect(matchCommand(asker, calls.toReversed())).toEqual(matchCommand(asker, calls));
    }),
  );
});

test("a command that is there twice is never the place", () => {
  fc.assert(
    fc.property(words, fc.array(command, { maxLength: 4 }), (asked, others) => {
      const own = `beckon ask "${asked.join(" ")}"`;
      const twice = [bash("one", own), bash("two", own)];
      const calls = [...others.map((text, index) => bash(String(index), text)), ...twice];
      expect(matchCommand(cli(own), calls)).toBe("tie");
    }),
  );
});

test("calls that are no commands change nothing", () => {
  fc.assert(
    fc.property(command, fc.array(fc.jsonValue()), (own, noise) => {
      const calls = noise.map((content, index) => ({ id: String(index), input: { content } }));
      const alone = matchCommand(cli(COLOUR), [bash("own", own)]);
      expect(matchCommand(cli(COLOUR), [...calls, bash("own", own)])).toEqual(alone);
    }),
  );
});

test("no input makes it slow", () => {
  const long = `beckon ${"ask ".repeat(1_000_000)}`;
  const started = performance.now();
  matchCommand(cli(long), [bash("a", long), bash("b", '"'.repeat(2_000_000))]);
  expect(performance.now() - started).toBeLessThan(1_000);
});

import type { Command } from "commander";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseAskingCommand } from "../../core/index.ts";
import { run } from "../program.ts";
import { askingCommands } from "./index.ts";

/*
 * An agent's shell runs commands unasked that can do nothing but ask. What that means for each option
 * is said here, so that a new one is decided about.
 */

const IO = {
  env: {},
  out: () => {},
  err: () => {},
  stopSignal: () => new AbortController().signal,
};

const HARMLESS: Record<string, string> = {
  "--multiline": "",
  "--multi": "",
  "--no-wait": "",
  "--require-client": "",
  "--json": "",
  "--key": "k",
  "--timeout": "2h",
  "--name": "n",
};
/** They read files, or ask elsewhere. */
const KEPT_BACK = ["--schema", "--questions", "--details", "--data", "--session"];

const ARGUMENTS: Record<string, string> = {
  ask: "colour",
  confirm: "colour",
  choose: "colour red blue",
  call: "release colour '{}'",
};

const commands = () => askingCommands(IO, []).filter((one) => one.name() in ARGUMENTS);
const commandOf = (name: string) => commands().find((one) => one.name() === name) as Command;
const optionsOf = (command: Command) => command.options.map(({ long }) => long ?? "");

test.each(
  commands().flatMap((command) => optionsOf(command).map((option) => [command.name(), option])),
)("it is decided whether beckon %s may have %s unasked", (name = "", option = "") => {
  const line = `beckon ${name} ${ARGUMENTS[name]} ${option} ${HARMLESS[option] ?? "value"}`;
  expect([...Object.keys(HARMLESS), ...KEPT_BACK]).toContain(option);
  expect(parseAskingCommand(line) !== undefined).toBe(option in HARMLESS);
});

test.each(["--sch", "--schem", "--dat", "-d", "--Schema"])(
  "no option can be shortened or written otherwise: %s",
  async (option) => {
    expect(await run(["ask", "colour", option, "/dev/null"], IO)).toBe(2);
  },
);

test("whatever is run unasked reads no file and asks nowhere else, however it is written", () => {
  const options = [...Object.keys(HARMLESS), ...KEPT_BACK];
  const word = fc.oneof(
    fc.constantFrom(...options, ...options.map((one) => `${one}=2h`), "-", "--", "-x", "--no-json"),
    fc.constantFrom("2h", "3h", "--sch", "--help"),
  );
  const line = fc
    .tuple(fc.constantFrom(...Object.keys(ARGUMENTS)), fc.array(word, { maxLength: 6 }))
    .map(([name, words]) => ["beckon", name, ...words].join(" "));
  let recognised = 0;
  fc.assert(
    fc.property(line, (text) => {
      const asking = parseAskingCommand(text);
      if (!asking) return;
      recognised++;
      const [name = "", ...rest] = asking.args;
      const keptBack = (one: Command) =>
        KEPT_BACK.map((option): unknown => one.opts()[option.slice(2)]);
      const command = commandOf(name);
      const { operands, unknown } = command.parseOptions(rest);
      expect(keptBack(command)).toEqual(keptBack(commandOf(name)));
      expect(unknown).toEqual([]);
      expect(operands.filter((operand) => operand.startsWith("-"))).toEqual([]);
    }),
    { numRuns: 5_000 },
  );
  expect(recognised).toBeGreaterThan(50);
});

import { parseArgs } from "node:util";

export const HELP = `npm run demo:unkillable -- [options]
npm run demo:unkillable -- answer --data DIR [--name NAME]

  --data DIR         where everything is kept (a temporary directory); the same again goes on there
  --person WHO       "you" answer here (in a terminal), or "scripted" (anywhere else)
  --every SECONDS    how often the server is killed (2)
  --kills NUMBER     release until there were so many kills (10; with "you" one release)
  --kill-by-the-log  kill after a few more events, as fast as the server comes up
  --think MS         how long the scripted person thinks, about (1200)
  --work MS          how long each piece of the release takes (400)
`;

export class WrongOption extends Error {}

/** @param {string[]} args @param {{ isTerminal: boolean }} facts */
export function readOptions(args, { isTerminal }) {
  const { values, positionals } = parse(args);
  const person = values.person ?? (isTerminal ? "you" : "scripted");
  if (person !== "you" && person !== "scripted") {
    throw new WrongOption(`--person is "you" or "scripted", not "${person}".`);
  }
  if (positionals.length > 1 || (positionals[0] ?? "answer") !== "answer") {
    throw new WrongOption(`There is no "${positionals.join(" ")}".`);
  }
  if (positionals[0] && !values.data) {
    throw new WrongOption("Say which demo to answer: --data DIR, as the other window shows it.");
  }
  return {
    command: /** @type {"answer" | "run"} */ (positionals[0] ?? "run"),
    help: values.help ?? false,
    data: values.data,
    name: values.name,
    person,
    // Faster, and a server on a busy machine would hardly ever come to do something.
    every: values["kill-by-the-log"] ? null : number("every", values.every, 1) * 1_000,
    kills: number("kills", values.kills ?? (person === "you" ? "0" : "10"), 0),
    thinkMs: number("think", values.think, 0),
    workMs: number("work", values.work, 0),
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: "boolean" },
        data: { type: "string" },
        name: { type: "string", default: "window 2" },
        person: { type: "string" },
        every: { type: "string", default: "2" },
        kills: { type: "string" },
        "kill-by-the-log": { type: "boolean" },
        think: { type: "string", default: "1200" },
        work: { type: "string", default: "400" },
      },
    });
  } catch (error) {
    throw new WrongOption(/** @type {Error} */ (error).message);
  }
}

/** @param {string} name @param {string} text @param {number} least */
function number(name, text, least) {
  const value = Number(text);
  if (text.trim() !== "" && value >= least && value <= 10_000) return value;
  throw new WrongOption(`--${name} is a number from ${least} to 10000, not "${text}".`);
}

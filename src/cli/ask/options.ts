import { type Command, Option } from "commander";
import { timeOption } from "../duration.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";

/** What every command that asks takes. */
export interface AskingOptions {
  data: string;
  session?: string;
  key?: string;
  /** In milliseconds; it may be `Infinity`. */
  timeout?: number;
  wait: boolean;
  requireClient?: boolean;
  json?: boolean;
}

export function addAskingOptions(command: Command, io: Io): Command {
  return command
    .addOption(sessionOption(io))
    .option("--key <key>", "name the question: the same key again finds it, or its answer")
    .addOption(timeOption("how long people have: 90s, 10m, 2h, 7d (default: for ever)"))
    .option("--no-wait", "ask, print the id and end")
    .option("--require-client", "end with 69 if nobody is there to answer")
    .addOption(jsonOption())
    .addOption(dataOption(io.env));
}

export function sessionOption(io: Io): Option {
  const given = io.env["BECKON_SESSION_ID"];
  const option = new Option("--session <id>", "in which session (env: BECKON_SESSION_ID)");
  return given ? option.default(given) : option;
}

export function jsonOption(): Option {
  return new Option("--json", "print one JSON object");
}

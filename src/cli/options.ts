import { homedir } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";

/** Every command takes it. */
export function dataOption(env: Readonly<Record<string, string | undefined>>): Option {
  const option = new Option("--data <dir>", "where Beckon keeps everything (env: BECKON_DATA)");
  return env["BECKON_DATA"]
    ? option.default(env["BECKON_DATA"])
    : option.default(join(homedir(), ".beckon"), "~/.beckon");
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError("Give a number from 0 to 65535; 0 picks a free port.");
  }
  return port;
}

/** For options that may be given several times. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

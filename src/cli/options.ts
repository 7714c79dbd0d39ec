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

/** Of commands that read or write what is stored; `storeOf` gives what it comes to. */
export function storeOption(): Option {
  return new Option(
    "--store <url>",
    "a PostgreSQL that has everything instead, postgres://… (env: BECKON_STORE)",
  );
}

/** The address may hold a password: so the environment is no default, which help would show. */
export function storeOf(
  env: Readonly<Record<string, string | undefined>>,
  given: string | undefined,
): string | undefined {
  return given ?? (env["BECKON_STORE"] || undefined);
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

export function parseNodeName(text: string): string {
  if (/^[\w.:-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError("Give up to 64 letters, digits, and - _ . : between them.");
}

import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** What a command that is run elsewhere must be told, so that it finds the same data directory. */
export function dataArguments(data: string): string[] {
  const isDefault = resolve(data) === join(homedir(), ".beckon");
  return isDefault ? [] : ["--data", resolve(data)];
}

/** For a shell; plain words stay as they are. */
export function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

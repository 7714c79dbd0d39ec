import { homedir } from "node:os";
import { join, resolve } from "node:path";

export { quoted } from "../agents/cli/quoted.ts";

/** What a command that is run elsewhere must be told, so that it finds the same data directory. */
export function dataArguments(data: string): string[] {
  const isDefault = resolve(data) === join(homedir(), ".beckon");
  return isDefault ? [] : ["--data", resolve(data)];
}

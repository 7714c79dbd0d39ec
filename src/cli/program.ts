import { packageVersion } from "../package.ts";
import type { Io } from "./io.ts";

/** Runs one command line and resolves with its exit code. */
export async function run(args: string[], io: Io): Promise<number> {
  const [first = ""] = args;
  if (first === "--version" || first === "-V") {
    io.out(packageVersion());
    return 0;
  }
  const { runCommand } = await import("./commands.ts");
  return runCommand(args, io);
}

import type { Readable, Writable } from "node:stream";
import { startWatched } from "../cli/launch.ts";

/** What the SDK would start: Claude Code, as it comes with the SDK. */
interface SpawnOptions {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
  /** Aborted by the SDK when the process has not ended though its input was closed. */
  signal: AbortSignal;
}

/** What the SDK needs of a process. */
interface SpawnedProcess {
  stdin: Writable;
  stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
}

/** How much of the end of its standard error is kept. */
const ERROR_CHARACTERS = 4 * 1024;

/**
 * Starts Claude Code for the SDK, so that neither it nor a command that it runs outlives this
 * process: started by the SDK itself it goes on after a SIGKILL until its command has ended.
 *
 * @param hear gets the end of what the process has written to standard error, each time it grows
 */
export function createSpawn(
  hear: (errors: string) => void,
): (options: SpawnOptions) => SpawnedProcess {
  return ({ command, args, cwd = process.cwd(), env, signal }) => {
    const { child, watchdog } = startWatched({ command, args, cwd, env, whenForsaken: "TERM" });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-ERROR_CHARACTERS);
      hear(errors);
    });
    const kill = () => child.kill();
    signal.addEventListener("abort", kill, { once: true });
    child.once("exit", () => {
      signal.removeEventListener("abort", kill);
      // Ends what it left in its group.
      watchdog.end();
    });
    return child;
  };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import type { Socket } from "node:net";
import { ToolError } from "../../../core/index.ts";
import { LAUNCH, LAUNCH_PROGRAM, WATCHDOG } from "./watchdog.ts";

export interface CommandProcess {
  /** The end of the command itself; others of its session may still be there. */
  readonly exited: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
  /** Everything that stayed in the command's session has been killed. */
  readonly gone: Promise<void>;
  /** SIGTERM to all of them. */
  terminate(): void;
  /** SIGKILL to all of them. */
  kill(): void;
}

interface StartOptions {
  command: string | string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** File descriptor for standard output and error. */
  output: number;
  watchdogMs: number;
}

/** Starts a command as the leader of a session of its own, in which a watchdog lives too. */
export async function startCommand(options: StartOptions): Promise<CommandProcess> {
  const { command, cwd, env, output } = options;
  try {
    const [shell, ...args] =
      typeof command === "string"
        ? ["bash", "-c", LAUNCH, "bash", WATCHDOG, command]
        : // Found by no PATH.
          ["/bin/sh", "-c", LAUNCH_PROGRAM, "sh", WATCHDOG, ...command];
    const child = spawn(shell, args, {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", output, output, "pipe"],
    });
    const exited = new Promise<Awaited<CommandProcess["exited"]>>((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    await once(child, "spawn");
    const watchdog = child.stdio[3] as Socket;
    return { exited, ...holdWatchdog(child.pid as number, watchdog, options.watchdogMs) };
  } catch (cause) {
    throw await explain(cause as NodeJS.ErrnoException, cwd);
  }
}

function holdWatchdog(leader: number, watchdog: Socket, watchdogMs: number) {
  let isClosed = false;
  let fallback: NodeJS.Timeout | undefined;
  const killGroup = () => signalGroup(leader, "SIGKILL");
  const gone = new Promise<void>((resolve) => {
    watchdog.once("close", () => {
      isClosed = true;
      // It may have been killed by the command rather than have done its work.
      if (fallback) killGroup();
      clearTimeout(fallback);
      resolve();
    });
  });
  // A close follows; without a listener the error would end the process.
  watchdog.on("error", () => {});
  watchdog.resume();

  return {
    gone,
    terminate() {
      if (isClosed) signalGroup(leader, "SIGTERM");
      else watchdog.write("TERM\n");
    },
    kill() {
      if (isClosed) return killGroup();
      watchdog.end();
      // A command can stop its watchdog: `kill -STOP 0`.
      fallback ??= setTimeout(killGroup, watchdogMs);
    },
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // Nobody is left in it.
  }
}

/** A missing directory and a missing bash are the same error of `spawn`. */
async function explain(cause: NodeJS.ErrnoException, cwd: string): Promise<ToolError> {
  const refuse = (why: string) =>
    new ToolError("tool_error", `The command was not run: ${why}`, { cause });
  const directory = await stat(cwd).catch((error: NodeJS.ErrnoException) => error);
  if (directory instanceof Error) {
    return refuse(
      directory.code === "ENOENT"
        ? `the directory ${cwd} does not exist. Make it first, or give another cwd.`
        : `the directory ${cwd} cannot be used (${directory.code}). Give another cwd.`,
    );
  }
  if (!directory.isDirectory()) return refuse(`${cwd} is not a directory. Give another cwd.`);
  if (cause.code === "ENOENT") {
    return refuse("there is no bash on the PATH of the server. Install bash, or extend the PATH.");
  }
  return refuse(`it could not be started (${cause.message}).`);
}

import { closeSync } from "node:fs";
import type { Socket } from "node:net";
import { isAbsolute } from "node:path";
import { ToolError } from "../../../core/index.ts";
import { createBoundedOutput } from "./bounded-output.ts";
import { COMMAND_LIMITS, type CommandLimits } from "./command-limits.ts";
import { type CommandProcess, startCommand } from "./command-process.ts";
import { createLiveOutput } from "./live-output.ts";
import { openOutputPipe } from "./output-pipe.ts";

export interface CommandOptions {
  /** A text is given to bash as one argument, as it is; a list is a program's path and arguments. */
  command: string | string[];
  /** An absolute path. */
  cwd: string;
  /** All of the command's environment. */
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Ends the command and all that it started. */
  signal: AbortSignal;
  /** Called with output while it comes. Contract: must not throw. */
  onOutput(text: string): void;
  limits?: Partial<CommandLimits>;
}

export interface CommandEnd {
  /** `null` when a signal ended it. */
  exitCode: number | null;
  signal?: string;
  timedOut?: true;
  /** Standard output and error as they came, at most the beginning and the end. */
  output: string;
  /** How many bytes of the output are missing in the middle. */
  truncatedBytes?: number;
  durationMs: number;
}

/**
 * Runs a command with bash, or a program without any shell's doing, without input, and ends all that it leaves behind: when it has ended,
 * when its time is up, when `signal` aborts, and when this process dies in any way.
 *
 * Contract: what goes wrong in the command is in the result. Rejects only when it was not started.
 */
export async function runCommand(options: CommandOptions): Promise<CommandEnd> {
  const limits = { ...COMMAND_LIMITS, ...options.limits };
  checkSupport(options.cwd);
  const { reader, running } = await start(options, limits);
  const startedAt = performance.now();
  const bounded = createBoundedOutput(limits);
  const live = createLiveOutput({ limits, show: (text) => options.onOutput(text), timer });
  reader.on("data", (chunk: Buffer) => {
    bounded.add(chunk);
    live.add(chunk);
  });
  // A close follows an error too; without a listener the error would end the process.
  reader.on("error", () => {});
  const drained = new Promise<void>((resolve) => reader.once("close", resolve));

  const { exitCode, signal, timedOut } = await endOf(running, drained, options, limits);
  const giveUp = timer(limits.drainMs, () => {
    // What is in the pipe by now is read in the turn of the loop that comes before this.
    setImmediate(() => reader.destroy());
  });
  await drained;
  giveUp();
  live.finish();
  return {
    exitCode,
    ...(signal && { signal }),
    ...(timedOut && { timedOut }),
    ...bounded.finish(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function checkSupport(cwd: string): void {
  if (process.platform === "win32") {
    throw new ToolError(
      "tool_error",
      "The bash tool does not work on Windows. Run the server in WSL, on Linux or on macOS.",
    );
  }
  if (!isAbsolute(cwd)) {
    throw new ToolError("tool_error", `cwd must be an absolute path, not "${cwd}".`);
  }
}

async function start(
  { command, cwd, env, signal }: CommandOptions,
  { watchdogMs }: CommandLimits,
): Promise<{ reader: Socket; running: CommandProcess }> {
  const { reader, writeEnd } = await openOutputPipe();
  try {
    signal.throwIfAborted();
    const running = await startCommand({ command, cwd, env, output: writeEnd, watchdogMs });
    return { reader, running };
  } catch (error) {
    reader.destroy();
    throw error;
  } finally {
    closeSync(writeEnd);
  }
}

/** Waits until the command and all that it left are gone, and sees to it that they go. */
async function endOf(
  running: CommandProcess,
  drained: Promise<unknown>,
  { signal, timeoutMs }: CommandOptions,
  { killGraceMs }: CommandLimits,
) {
  let timedOut: true | undefined;
  let cancelKill: (() => void) | undefined;
  const stop = () => {
    if (cancelKill) return;
    cancelKill = timer(killGraceMs, () => running.kill());
    running.terminate();
  };
  const cancelTimeout = timer(timeoutMs, () => {
    timedOut = true;
    stop();
  });
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);

  const { exitCode, signal: endedBy } = await running.exited;
  cancelTimeout();
  signal.removeEventListener("abort", stop);
  // Its children were asked to end too, and may take their time when bash has already gone.
  if (cancelKill) await Promise.race([drained, running.gone]);
  cancelKill?.();
  running.kill();
  await running.gone;
  return { exitCode, signal: endedBy, timedOut };
}

function timer(ms: number, callback: () => void): () => void {
  const handle = setTimeout(callback, ms);
  return () => clearTimeout(handle);
}

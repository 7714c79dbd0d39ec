import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** What a process has used so far. */
interface Usage {
  /** Of the processor, for itself and in the system. */
  cpuMs: number;
  /** On the heap and outside of it, of what JavaScript holds. */
  heapBytes: number;
  rss: number;
}

/** A server in a process of its own, from spawning it to its end. */
export interface StartedServer {
  /** Its first line on stdout, which says that it listens. */
  line: string;
  startMs: number;
  /** Since it was spawned. */
  elapsedMs: () => number;
  /** @param collect whether what is garbage is thrown away first */
  usage: (options?: { collect: boolean }) => Promise<Usage>;
}

/** Starts a server, waits for its first line on stdout, lets `measure` at it, and stops it. */
export async function withServer<Result>(
  args: string[],
  measure: (server: StartedServer) => Promise<Result>,
): Promise<Result> {
  const begin = performance.now();
  const probe = ["--expose-gc", "--import", join(root, "bench", "probe.js")];
  const child = spawn(process.execPath, [...probe, ...args], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    cwd: root,
  });
  try {
    const line = await firstLine(child);
    const elapsedMs = () => performance.now() - begin;
    const usage = async ({ collect } = { collect: false }) => {
      const told = once(child, "message");
      child.send({ collect });
      return (await told)[0] as Usage;
    };
    return await measure({ line, startMs: elapsedMs(), elapsedMs, usage });
  } finally {
    if (child.exitCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    }
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("The process has no stdout.");
  const line = once(createInterface(child.stdout), "line").then(([text]) => String(text));
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The process ended with ${String(code)} before it listened.`);
  });
  ended.catch(() => {});
  return Promise.race([line, ended]);
}

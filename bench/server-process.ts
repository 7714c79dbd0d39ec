import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A server in a process of its own, from spawning it to its end. */
export interface StartedServer {
  pid: number;
  /** Its first line on stdout, which says that it listens. */
  line: string;
  startMs: number;
  /** Since it was spawned. */
  elapsedMs: () => number;
}

export function serveArguments(data: string): string[] {
  return [join(root, "bin", "beckon.js"), "serve", "--port", "0", "--json", "--data", data];
}

/** Starts a server, waits for its first line on stdout, lets `measure` at it, and stops it. */
export async function withServer<Figures>(
  args: string[],
  measure: (server: StartedServer) => Promise<Figures>,
): Promise<Figures> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const line = await firstLine(child);
    const elapsedMs = () => performance.now() - begin;
    return await measure({ pid: child.pid ?? 0, line, startMs: elapsedMs(), elapsedMs });
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

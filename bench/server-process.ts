import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

export interface ProcessFigures {
  /** From spawning to the first line, which says that it listens. */
  startMs: number;
  /** Resident memory when it has been idle for a second. */
  idleMb: number;
}

/** Starts a server, waits for its first line on stdout, lets it settle, measures and stops it. */
export async function measureProcess(args: string[]): Promise<ProcessFigures> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await firstLine(child);
    const startMs = performance.now() - begin;
    await pause(1_000);
    return { startMs, idleMb: await residentMb(child.pid) };
  } finally {
    if (child.exitCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    }
  }
}

async function firstLine(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error("The process has no stdout.");
  const line = once(createInterface(child.stdout), "line");
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The process ended with ${String(code)} before it listened.`);
  });
  await Promise.race([line, ended]);
  ended.catch(() => {});
}

async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error("/proc tells no VmRSS; this bench needs Linux.");
  return Number(kilobytes) / 1_024;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

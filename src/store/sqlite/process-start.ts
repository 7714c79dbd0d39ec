import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** When a process began, in the system's own words; undefined where there is none, or nobody says. */
export function processStart(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return startTicks(readFileSync(`/proc/${pid}/stat`, "utf8"));
    if (process.platform === "win32") return undefined;
    const options = { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } } as const;
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], options).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Whether that very process still runs, and not only another one with its number. */
export function isRunning(one: { pid?: number; processStart?: string }): boolean {
  if (one.pid === undefined || one.processStart === undefined) return false;
  return processStart(one.pid) === one.processStart;
}

/** The 22nd field; the second, the name of the program, may hold blanks and brackets. */
function startTicks(stat: string): string | undefined {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

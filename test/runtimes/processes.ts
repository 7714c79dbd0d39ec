import { readdirSync, readFileSync } from "node:fs";

/** What one process has under `/proc`; nothing where it is gone. */
function readProcess(pid: string, file: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

const processes = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));

/** The command lines of all processes of this machine. */
export function commandLines(): string[] {
  return processes().map((pid) => readProcess(pid, "cmdline"));
}

/** What runs with its home in a folder: an agent's program, its commands and what watches it. */
export function processesOf(folder: string): string[] {
  return processes()
    .filter((pid) => readProcess(pid, "environ").split(" ").includes(`HOME=${folder}`))
    .map((pid) => readProcess(pid, "cmdline").slice(0, 100));
}

import { execFileSync } from "node:child_process";

/** Command lines of the processes that name a folder. */
export function processesOf(folder: string): string[] {
  const all = execFileSync("ps", ["-eo", "args="], { encoding: "utf8" });
  return all.split("\n").filter((line) => line.includes(folder));
}

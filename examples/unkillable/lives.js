import { appendFileSync, readFileSync } from "node:fs";

/**
 * What happened to the server, one line each, written by whoever did it or saw it: the killer writes
 * `killed`, the keeper `started`, `listening` and `ended`.
 *
 * @param {string} file
 * @param {"started" | "listening" | "killed" | "ended"} what
 * @param {number} pid
 * @param {string} [how]
 */
export function note(file, what, pid, how = "") {
  appendFileSync(file, `${new Date().toISOString()} ${what} ${pid} ${how}`.trimEnd() + "\n");
}

/** @param {string} file */
export function readLives(file) {
  return readLines(file).map((line) => {
    const [at = "", what = "", pid = "", how = ""] = line.split(" ");
    return { at, what, pid: Number(pid), how };
  });
}

/** @param {string} file */
export function readLines(file) {
  return readFileSync(file, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
}

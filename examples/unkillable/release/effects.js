import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * The outside world of this demo: a file with one line for each effect.
 *
 * A step runs at least once until its result is recorded: a process may die after the effect and
 * before the record, and then the step runs again. So each effect has a key that is the same in every
 * life of the call, and the outside world is asked for that key first. With a real registry or
 * mail service this is its idempotency key; here it is a search for the line.
 *
 * @param {string} directory
 */
export function openEffects(directory) {
  const file = join(directory, "effects.jsonl");
  const begun = join(directory, "begun.txt");
  return {
    /**
     * @param {string} key
     * @param {Record<string, unknown>} what
     * @param {number} workMs
     */
    async once(key, what, workMs) {
      const isDone = isThere(file, key);
      // Only for the report at the end: how often a step was begun again, and found its work done.
      appendFileSync(begun, `${key} ${isDone ? "done" : "new"}\n`);
      if (!isDone) {
        await delay(workMs / 4);
        append(file, `${JSON.stringify({ key, ...what })}\n`);
      }
      // The reply of the outside world is on its way back. Who is killed here has done the work and
      // does not know it.
      await delay((workMs * 3) / 4);
      return { done: key };
    },
  };
}

/** @param {string} file @param {string} key */
function isThere(file, key) {
  return read(file).some((line) => JSON.parse(line).key === key);
}

/** @param {string} file */
function read(file) {
  const descriptor = openSync(file, "a+");
  try {
    return readFileSync(descriptor, "utf8").split("\n").filter(Boolean);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * One write, then down to the disk: a step that is recorded must not be ahead of its effect.
 *
 * @param {string} file
 * @param {string} line
 */
function append(file, line) {
  const descriptor = openSync(file, "a");
  try {
    writeSync(descriptor, line);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

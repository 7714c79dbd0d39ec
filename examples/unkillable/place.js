import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Where a demo keeps what: the server's data directory, with a folder of the demo's own in it.
 *
 * @typedef {ReturnType<typeof placeIn>} Place
 * @typedef {{ url: string, sessionId: string, ended: boolean }} Running
 */

/** @param {string} data */
export function placeIn(data) {
  const folder = join(data, "unkillable");
  return {
    data,
    folder,
    running: join(folder, "running.json"),
    lives: join(folder, "lives.txt"),
    log: join(folder, "server.log"),
    effects: join(data, "plugins", "release", "effects.jsonl"),
    begun: join(data, "plugins", "release", "begun.txt"),
  };
}

/** The running demo, or the one that was here before. @param {Place} place */
export function readRunning(place) {
  if (!existsSync(place.running)) return null;
  return /** @type {Running} */ (JSON.parse(readFileSync(place.running, "utf8")));
}

/** @param {Place} place @param {Running} running */
export function writeRunning(place, running) {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  // Renamed into place: the other window may read it at this moment.
  const draft = `${place.running}.new`;
  writeFileSync(draft, `${JSON.stringify(running)}\n`);
  renameSync(draft, place.running);
}

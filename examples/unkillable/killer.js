/**
 * The process that kills the server. It is told by its parent which process that is; it asks nobody
 * whether the moment suits.
 *
 *   by the clock   every two seconds or so
 *   by the log     after a few more events, as fast as the server comes up: for tests
 */
import { setTimeout as delay } from "node:timers/promises";
import { Api } from "./api.js";
import { follow } from "./follow.js";
import { note } from "./lives.js";

/** @typedef {import("./server.js").Life} Life */
/** @type {{ every: number | null, lives: string, url: string, token: string, sessionId: string }} */
const options = JSON.parse(String(process.argv[2]));

/** Two at least: else one turn could be hit more often in a row than Beckon tries it again. */
const EVENTS_BETWEEN_KILLS = [2, 3, 2, 4, 2, 3, 5];

/** @type {Life | null} */
let life = null;
let startedAt = 0;
let startTook = 0;
let heard = () => {};
process.on("message", (message) => {
  ({ life } = /** @type {{ life: Life | null }} */ (message));
  if (life?.listening) startTook = performance.now() - startedAt;
  else startedAt = performance.now();
  heard();
});
// Without its parent nobody would end the server.
process.on("disconnect", () => {
  if (life) signal(life.pid, "SIGTERM");
  process.exit();
});
// Not in the middle of things: a kill that was done is also written down.
process.on("SIGTERM", () => process.exit());

process.send?.({ ready: true });
if (options.every === null) await killByTheLog();
else await killByTheClock(options.every);

/**
 * Not at a fixed rhythm: a restart takes the same time each time, and would be hit at the same place.
 * And more slowly where a start alone takes most of the time, or the server would never get to work.
 *
 * @param {number} every
 */
async function killByTheClock(every) {
  for (;;) {
    await delay(Math.max(every, 3 * startTook) * (0.75 + Math.random() / 2));
    const victim = await until(() => life);
    kill(victim);
    // A server may be killed while it starts, but not twice in a row.
    if (!victim.listening) await until(() => life?.listening);
  }
}

async function killByTheLog() {
  const api = new Api(options.url, options.token);
  let seq = 0;
  for (let kills = 0; ; kills++) {
    const victim = await until(() => (life?.listening ? life : null));
    let left = EVENTS_BETWEEN_KILLS[kills % EVENTS_BETWEEN_KILLS.length] ?? 2;
    const gone = new AbortController();
    for await (const events of follow(api, options.sessionId, {
      after: seq,
      signal: gone.signal,
    })) {
      seq = events.at(-1).seq;
      left -= events.length;
      if (left <= 0) gone.abort();
    }
    kill(victim);
    await until(() => life?.pid !== victim.pid);
  }
}

/**
 * @template Value
 * @param {() => Value} look
 * @returns {Promise<NonNullable<Value>>}
 */
async function until(look) {
  for (;;) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => (heard = () => resolve(undefined)));
  }
}

/** @param {Life} victim */
function kill({ pid }) {
  if (life?.pid !== pid || !signal(pid, "SIGKILL")) return;
  note(options.lives, "killed", pid);
  process.send?.({ killed: pid });
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

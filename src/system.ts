import { AsyncLocalStorage } from "node:async_hooks";
import { hash, randomFillSync } from "node:crypto";
import { createRequire } from "node:module";
import type { Clock, Ids, Log, Scope } from "./core/index.ts";

/** Beyond this `setTimeout` fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What differs more between the two clocks was set, or slept; less is the one being adjusted. */
const JUMP_MS = 1_000;

/**
 * The time of day, which does not go back while this process runs: a clock that is set back a day
 * would hold every deadline for a day. Forward jumps count, for that is how a machine wakes up.
 */
export function createSteadyTime(
  timeOfDay: () => number = () => Date.now(),
  elapsed: () => number = () => performance.now(),
): () => number {
  let ahead = 0;
  let lastTime = timeOfDay();
  let lastElapsed = elapsed();
  return () => {
    const time = timeOfDay();
    // It has not been set since, unless to the very same millisecond.
    if (time === lastTime) return time + ahead;
    const since = elapsed();
    const jump = Math.round(time - lastTime - (since - lastElapsed));
    lastTime = time;
    lastElapsed = since;
    // A clock that is set right again takes back what setting it wrong has put us ahead.
    if (Math.abs(jump) > JUMP_MS) ahead = Math.max(0, ahead - jump);
    return time + ahead;
  };
}

export const systemClock: Clock = {
  now: createSteadyTime(),
  timer(ms, callback) {
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      const now = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > now ? arm(left - now) : callback()), now);
      timer.unref();
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
  turn: () =>
    new Promise((resolve) => {
      setImmediate(resolve);
    }),
};

/** For what other processes date too: they know only the time of day, which may have been set back. */
export const timeOfDayClock: Clock = { ...systemClock, now: () => Date.now() };

/** 128 random bits: nobody can guess one, and a clock that jumps or stands still does no harm. */
export const systemIds: Ids = {
  next() {
    const id = randomText();
    // A leading hyphen would read as an option on a command line.
    return id.startsWith("-") ? systemIds.next() : id;
  },
  digest: (text) => hash("sha256", text, "hex"),
};

const ID_BYTES = 16;
const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;

/** Asking the system for random bytes costs more than making an id of them. */
function randomText(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.toString("base64url", used - ID_BYTES, used);
}

export function createScope<Value>(): Scope<Value> {
  const storage = new AsyncLocalStorage<Value>();
  return {
    run: (value, work) => storage.run(value, work),
    current: () => storage.getStore(),
  };
}

const SECRETS = ["authorization", "cookie", "set-cookie", "token"];
const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

const LOAD_PINO_MS = 1_000;

/** Writes JSON lines to stderr. @param level `BECKON_LOG`: a level of pino, or `silent` */
export function createLog(level = process.env["BECKON_LOG"] ?? "warn"): Log {
  if (!LEVELS.includes(level)) {
    throw new Error(`BECKON_LOG is "${level}", but must be one of ${LEVELS.join(", ")}.`);
  }
  let lines: Log | undefined;
  // Not only with the first line: a server that has run out of files could not load it any more.
  setTimeout(() => (lines ??= createPino(level)), LOAD_PINO_MS).unref();
  const at = (name: keyof Log) => {
    if (LEVELS.indexOf(name) < LEVELS.indexOf(level)) return () => {};
    return (details: Record<string, unknown>, message: string) =>
      (lines ??= createPino(level))[name](details, message);
  };
  return { info: at("info"), warn: at("warn"), error: at("error") };
}

/** Loading pino takes a good part of a start, and most starts write no line. */
function createPino(level: string): Log {
  const require = createRequire(import.meta.url);
  const { destination, pino, stdSerializers } = require("pino") as typeof import("pino");
  return pino(
    {
      level,
      base: null,
      serializers: { error: stdSerializers.err },
      redact: ["", "*.", "*.*."].flatMap((path) =>
        SECRETS.map((name) =>
          name.includes("-") ? `${path.slice(0, -1)}["${name}"]` : path + name,
        ),
      ),
    },
    destination({ fd: 2, sync: true }),
  );
}

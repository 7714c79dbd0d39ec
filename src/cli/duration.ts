import { InvalidArgumentError, Option } from "commander";
import { LIMITS } from "../protocol/index.ts";

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `10m`, `2h`, `7d`, as milliseconds; `never` is `Infinity`. */
function parseDuration(text: string): number {
  if (text === "never") return Infinity;
  const [, count = "", unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms >= LIMITS.timeoutMinMs && ms <= LIMITS.timeoutMaxMs) return ms;
  throw new InvalidArgumentError("Give a time such as 90s, 10m, 2h or 7d, or never.");
}

/** The other way round. */
export function formatDuration(ms: number): string {
  if (ms === Infinity) return "never";
  const [unit, size] = Object.entries(UNITS).findLast(([, one]) => ms % one === 0) ?? ["s", 1_000];
  return `${ms / size}${unit}`;
}

/** A time, in milliseconds. */
export function durationOption(flags: string, words: string): Option {
  return new Option(flags, words).argParser(parseDuration);
}

export function timeOption(words: string): Option {
  return durationOption("--timeout <time>", words);
}

/** How long people have to answer what an agent asks through a command; else the server decides. */
export function timeoutOption(): Option {
  return timeOption("how long people have: 90s, 10m, 2h, never; else as the server's settings say");
}

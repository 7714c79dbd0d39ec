import type { Caller, Quota } from "../../protocol/index.ts";

const MIB = 1024 ** 2;
const number = (value: number) => value.toLocaleString("en-US");
const mebibytes = (bytes: number) =>
  bytes % MIB === 0 ? `${number(bytes / MIB)} MiB` : `${number(bytes)} bytes`;

const WHOSE: Record<Caller | "machines", string> = {
  person: "one person",
  machine: "one machine",
  bound: "a token that is bound to a session",
  machines: "all machines together",
};

const AMOUNT: Record<Quota, (limit: number) => string> = {
  sessionsPerDay: (limit) => `${number(limit)} new sessions a day`,
  openPrompts: (limit) => `${number(limit)} open prompts`,
  asksPerMinute: (limit) => `${number(limit)} asks and calls a minute`,
  messagesPerMinute: (limit) => `${number(limit)} messages a minute`,
  requestsPerMinute: (limit) => `${number(limit)} requests a minute`,
  bytesWrittenPerMinute: (limit) => `${mebibytes(limit)} sent a minute`,
  bytesReadPerMinute: (limit) => `${mebibytes(limit)} read a minute`,
  sockets: (limit) => `${number(limit)} connections at once`,
};

const ADVICE: Partial<Record<Quota, string>> = {
  sessionsPerDay: "Ask in a session that is there, or let a person delete some of today's.",
  openPrompts: "Wait until some are answered, or withdraw some.",
  sockets: "Close some, or wait for fewer answers at once.",
};

/** Says which quota is used up, how much it is, and what to do. */
export function quotaSentence(
  quota: Quota,
  whose: Caller | "machines",
  limit: number,
  retryAfter: number,
): string {
  const seconds = retryAfter === 1 ? "a second" : `${number(retryAfter)} seconds`;
  const advice = ADVICE[quota] ?? `Try again in ${seconds}.`;
  return `The most for ${WHOSE[whose]} is reached: ${AMOUNT[quota](limit)}. ${advice}`;
}

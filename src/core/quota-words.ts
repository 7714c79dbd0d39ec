import type { Caller, Quota } from "../protocol/index.ts";

const number = (value: number) => value.toLocaleString("en-US");

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
};

const ADVICE: Partial<Record<Quota, string>> = {
  sessionsPerDay: "Ask in a session that is there, or let a person delete some of today's.",
  openPrompts: "Wait until some are answered, or withdraw some.",
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

import { expect } from "vitest";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { checkLog } from "../scenarios/always-true.ts";

/** Who ended a prompt. */
type Winner = "answer" | "deadline" | "cancel";

/**
 * Whoever was told that they won is the one that the log says has won, nobody else was told so, and
 * the result of the call is what follows from it.
 */
export function winnerOf(log: ChatEvent[], replies: string[]): Winner {
  checkLog(log);
  const response = log.find((event) => event.type === "interaction_response")?.payload;
  const closed = log.find((event) => event.type === "interaction_closed")?.payload;
  must(!response !== !closed, "The prompt has one end.");
  const told = replies.filter((reply) => /^a\d$/.test(reply));
  must(told.length === (response ? 1 : 0), `So many were told that they won: ${told.join()}`);
  must(told[0] === response?.answerId, `${told[0]} was told that it won.`);
  const winner = response ? "answer" : closed?.reason === "cancelled" ? "cancel" : "deadline";
  const result = log.find((event) => event.type === "tool_result")?.payload;
  const outcome = String(result?.error?.code ?? result?.result);
  const follows = {
    answer: [`answered ${response?.answerId}`, "tool_cancelled"],
    deadline: ["timed out", "interaction_timeout", "tool_cancelled"],
    cancel: ["tool_cancelled"],
  }[winner];
  must(follows.includes(outcome), `The end was "${winner}", and the result "${outcome}".`);
  return winner;
}

/** What an expectation does, without its price: there are a hundred thousand schedules. */
export function must(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

/** Over many schedules everybody must have won at times, or they never met. */
export function createTally(winners: Winner[]) {
  const times = new Map(winners.map((winner) => [winner, 0]));
  return {
    add: (winner: Winner) => void times.set(winner, (times.get(winner) ?? 0) + 1),
    check(schedules: number) {
      if (schedules < 1_000) return;
      for (const [winner, won] of times) {
        expect({ winner, won: won > schedules / 50 }).toEqual({ winner, won: true });
      }
    },
  };
}

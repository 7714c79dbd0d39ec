import * as fc from "fast-check";
import { defineTool } from "../../src/core/index.ts";

/**
 * The story of one prompt: the turns of the loop in which people answer it, somebody cancels, and
 * its deadline passes.
 */
export interface Schedule {
  deadline: number;
  /** Its tool has an `onTimeout`. */
  hook: boolean;
  /** Its tool can be run again. */
  durable: boolean;
  /** One more answer comes from inside the broadcast of the prompt. */
  eager: boolean;
  answers: number[];
  cancel: number | null;
}

/** Schedules that run side by side in one engine, each in a session of its own. */
export interface Round {
  schedules: Schedule[];
  seed: number;
  alwaysOrphan: boolean;
}

const SIDE_BY_SIDE = 100;
/** Every deadline is further away than this, so that none passes while prompts are being opened. */
export const BEFORE_MS = 1_000;

const moment = fc.nat({ max: 40 });
const schedule: fc.Arbitrary<Schedule> = fc.record({
  deadline: fc.nat({ max: 60 }),
  hook: fc.boolean(),
  durable: fc.boolean(),
  eager: fc.nat({ max: 15 }).map((draw) => draw === 0),
  answers: fc.array(moment, { maxLength: 3 }),
  cancel: fc.option(moment),
});

export const round: fc.Arbitrary<Round> = fc.record({
  schedules: fc.array(schedule, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE }),
  seed: fc.nat(),
  alwaysOrphan: fc.boolean(),
});

export const roundsOf = (schedules: number) => Math.ceil(schedules / SIDE_BY_SIDE);

const racer = (name: string, durable: "replay" | "orphan") =>
  defineTool<Schedule>({
    name,
    description: "Asks once.",
    parameters: { type: "object" },
    durable,
    handler: ({ deadline, hook }, ctx) =>
      ctx.requestInteraction({
        type: "approval",
        timeoutMs: BEFORE_MS + deadline,
        onResponse: (response) => ({ complete: `answered ${response.reason}` }),
        ...(hook ? { onTimeout: () => ({ complete: "timed out" }) } : {}),
      }),
  });

export const RACERS = [racer("kept", "replay"), racer("fleeting", "orphan")];
export const racerOf = ({ durable }: Schedule) => (durable ? "kept" : "fleeting");

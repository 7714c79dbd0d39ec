import { CRASH_POINTS, type CrashPoint } from "../../src/testing/crash-points.ts";
import type { Plan } from "./crash-server.ts";
import type { CrashWorld } from "./crash-world.ts";
import { STORIES, type StoryName } from "./stories.ts";

interface Occurrence {
  /** In which it is tried. */
  stories: StoryName[];
  /** Where the server must die first, so that the point can be reached. */
  after?: CrashPoint;
  /** It must die there before each time, because the point is passed only once. */
  afterEach?: CrashPoint;
}

const MATRIX: Record<CrashPoint, Occurrence> = {
  "before-message-stored": { stories: ["steps"] },
  "turn-started": { stories: ["steps", "parallel"] },
  "call-stored": { stories: ["parallel", "http"] },
  "before-request-stored": { stories: ["steps", "parallel", "gate"] },
  "request-stored-before-broadcast": { stories: ["steps", "orphan"] },
  "request-broadcast": { stories: ["questionnaire", "http", "retry"] },
  "before-response-stored": { stories: ["questionnaire", "orphan", "retry"] },
  "response-stored-before-reply": {
    stories: ["steps", "secret", "orphan", "parallel", "gate", "retry"],
  },
  "before-hook": { stories: ["steps", "secret"] },
  "hook-before-step": { stories: ["steps", "reprompt"] },
  "hook-in-step": { stories: ["steps", "http"] },
  "hook-step-stored": { stories: ["steps", "reprompt", "secret"] },
  "hook-grant-stored": { stories: ["grant"] },
  "hook-done-before-outcome": { stories: ["steps", "grant", "secret"] },
  "outcome-stored-before-result": { stories: ["questionnaire", "secret", "gate"] },
  "before-reprompt-stored": { stories: ["reprompt"] },
  "reprompt-stored": { stories: ["reprompt", "parallel"] },
  "handler-before-step": { stories: ["steps", "gate"] },
  "handler-in-step": { stories: ["steps", "grant"] },
  "handler-step-stored": { stories: ["steps", "http"] },
  "before-result-stored": { stories: ["steps", "late", "gate"] },
  "result-stored-before-turn-end": { stories: ["parallel", "http"] },
  "before-turn-end-stored": { stories: ["questionnaire"] },
  "turn-end-stored": { stories: ["grant"] },
  "before-deadline-stored": { stories: ["late"] },
  "deadline-stored-before-hook": { stories: ["late"] },
  "timeout-hook-done": { stories: ["late"] },
  "before-late-answer-stored": { stories: ["late"] },
  "late-answer-stored-before-turn": { stories: ["late"] },
  "late-answer-turn-started": { stories: ["late"] },
  "runs-claimed": { stories: ["steps", "orphan"], after: "call-stored" },
  "before-orphan-stored": { stories: ["orphan"], after: "response-stored-before-reply" },
  "orphan-stored": { stories: ["orphan"], afterEach: "request-broadcast" },
};

export interface Case {
  point: CrashPoint;
  story: StoryName;
  times: number;
}

/** Every point in every story where it is tried; with `only` the first story of each. */
export function casesOf(times: number, only?: "first"): Case[] {
  return (Object.keys(CRASH_POINTS) as CrashPoint[]).flatMap((point) =>
    MATRIX[point].stories.slice(0, only ? 1 : undefined).map((story) => ({ point, story, times })),
  );
}

/** What was stored is not stored again: then each round of a story is killed once. */
const MAX_ROUNDS = 4;

function plansOf(point: CrashPoint, times: number): Plan[] {
  const { after, afterEach } = MATRIX[point];
  const points = Array.from({ length: times }, () => (afterEach ? [afterEach, point] : [point]));
  return [...(after ? [after] : []), ...points.flat()].map((one) => ({ point: one, nth: 1 }));
}

/** Tells the story until the server has died as often as it should; gives what was broken. */
export async function runCase(world: CrashWorld, { point, story, times }: Case): Promise<string[]> {
  const { person } = world;
  const before = world.deaths.length;
  const view = await person.openSession();
  await world.plan(plansOf(point, times));
  const found: string[] = [];
  let rounds = 0;
  for (; world.planned > 0 && rounds < MAX_ROUNDS && found.length === 0; rounds++) {
    STORIES[story](person, view.id, `${view.id}-${rounds}`);
    found.push(...(await person.untilOver(view, story)));
  }
  found.push(...(await world.violations([view])));
  const deaths = world.deaths.slice(before);
  if (world.planned > 0) {
    await world.plan([]);
    found.push(`${point} was not reached ${times} times in ${rounds} rounds: ${deaths.join()}`);
  }
  return found;
}

import { createRandom } from "../../src/testing/random.ts";
import { CRASH_POINTS, type CrashPoint } from "../../src/testing/crash-points.ts";
import type { Plan } from "./crash-server.ts";
import { CrashWorld } from "./crash-world.ts";
import type { Habit } from "./person.ts";
import { habit, STORIES, type StoryName } from "./stories.ts";

export interface LoadOptions {
  kills: number;
  answers: number;
  seed: number;
  /** Conversations at once. */
  sessions: number;
  progress?: (line: string) => void;
}

export interface LoadReport {
  kills: number;
  /** Acknowledged. */
  answers: number;
  /** How often the server died where; `outside`: at a random instant. */
  deaths: Map<CrashPoint | "outside", number>;
  violations: string[];
}

const POINTS = Object.keys(CRASH_POINTS) as CrashPoint[];
/** How often each story is told, among all. */
const WEIGHTS: Record<StoryName, number> = {
  many: 8,
  steps: 2,
  parallel: 2,
  reprompt: 2,
  grant: 2,
  gate: 2,
  retry: 2,
  secret: 2,
  orphan: 2,
  http: 2,
  questionnaire: 1,
  late: 1,
};
const TELLABLE = (Object.keys(WEIGHTS) as StoryName[]).flatMap((name) =>
  Array.from({ length: WEIGHTS[name] }, () => name),
);
const ROUNDS_PER_SESSION = 40;
const EVENTS_PER_ANSWER = 7;
const RIVAL_SHARE = 0.1;

/** Tells stories in many sessions at once, and kills the server until there was enough of both. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { seed, sessions, progress = () => {} } = options;
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const eventsPerLife = Math.max(20, (options.answers * EVENTS_PER_ANSWER) / options.kills);
  /** Every point has its turn before one comes again. */
  const deck: CrashPoint[] = [];
  let plan: Plan | undefined;

  /** Half of the lives end at a point, the others at a random instant. */
  const nextPlan = () => {
    plan = undefined;
    if (world.deaths.length >= options.kills || random() < 0.5) return plan;
    if (deck.length === 0) deck.push(...POINTS);
    const [point] = deck.splice(below(deck.length), 1);
    if (point) plan = { point, nth: 1 + below(4) };
    return plan;
  };
  /** Some prompts are answered on two devices at once. */
  const withRivals: Habit = (request, detached) => {
    const bodies = habit(request, detached);
    return bodies && random() < RIVAL_SHARE ? [...bodies, ...bodies] : bodies;
  };
  const world = await CrashWorld.start({ habit: withRivals, nextPlan });
  const { person } = world;
  const accepted = () => person.answers.filter(({ reply }) => reply?.["ok"]).length;
  const violations: string[] = [];
  const isEnough = () =>
    violations.length > 0 ||
    (world.deaths.length >= options.kills && accepted() >= options.answers);

  async function kill(): Promise<void> {
    while (world.deaths.length < options.kills && violations.length === 0) {
      const lives = world.deaths.length;
      const limit = person.heard + (plan ? 2 * eventsPerLife : below(2 * eventsPerLife));
      const isDead = () => world.deaths.length > lives;
      await person.until(() => isDead() || person.heard >= limit, "the next kill");
      if (!isDead()) world.server.kill();
      await person.until(isDead, "the server to die");
      if (world.deaths.length % 20 === 0) {
        progress(`${world.deaths.length} kills, ${accepted()} answers`);
      }
    }
  }

  async function converse(name: number): Promise<void> {
    for (let round = 0; !isEnough();) {
      const view = await person.openSession();
      do {
        const story = TELLABLE[below(TELLABLE.length)] as StoryName;
        STORIES[story](person, view.id, `${name}-${round}`);
        violations.push(...(await person.untilOver(view, `${story} in ${view.id}`)));
      } while (++round % ROUNDS_PER_SESSION > 0 && !isEnough());
    }
  }

  const conversations = Array.from({ length: sessions }, (_, at) => converse(at));
  await Promise.all([kill(), ...conversations]).catch((error: unknown) => {
    violations.push(String(error));
  });
  violations.push(...(await world.violations([...person.views.values()])));
  await world.close();
  return {
    kills: world.deaths.length,
    answers: accepted(),
    deaths: count(world.deaths.map((point) => point ?? "outside")),
    violations,
  };
}

function count<Item>(items: Item[]): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

import { withDirectory } from "./directories.ts";
import { figure, type Figures, under } from "./figures.ts";
import { type Opener, takeTurns, withLanes } from "./lanes.ts";
import { type Place, withBeckon } from "./place.ts";
import { seedsOf } from "./seeds.ts";
import type { Sizes } from "./sizes.ts";

const TARGET_MS = 2_000;

/** A restart with many open prompts until it listens and until it takes an answer; bare: with one. */
export async function measureRestart(sizes: Sizes, rival?: string): Promise<Figures> {
  const { prompts, rounds } = sizes;
  // Each round takes one away, and so does the one that warms up.
  const openers = {
    bare: withPrompts(rounds + 1),
    beckon: withPrompts(prompts + rounds),
    rival: rival === undefined ? undefined : withPrompts(prompts + rounds, rival),
  };
  const took = await withLanes(openers, (restarts) =>
    takeTurns(restarts, rounds, (restart) => restart()),
  );
  const compared = (what: string, of: keyof Restart) =>
    figure({
      what,
      reference: "the same with one open prompt",
      unit: "ms",
      beckon: took.beckon.map((one) => one[of]),
      bare: took.bare.map((one) => one[of]),
      rival: took.rival.map((one) => one[of]),
      target: under(TARGET_MS),
    });
  return {
    "restart.listening": compared(`start with ${prompts} open prompts to listening`, "listening"),
    "restart.answer": compared("the same to the first answer taken", "answered"),
  };
}

/** A directory with so many open prompts, to start a server on again and again. */
function withPrompts(count: number, checkout?: string): Opener<() => Promise<Restart>> {
  return (measure) =>
    withDirectory(async (data) => {
      const { seedOpenPrompts } = await seedsOf(checkout);
      await seedOpenPrompts(data, count);
      return measure(() => restart(data, checkout));
    });
}

interface Restart {
  listening: number;
  answered: number;
}

function restart(data: string, checkout?: string): Promise<Restart> {
  return withBeckon(
    data,
    async (place) => {
      await answerOldest(place);
      return { listening: place.startMs, answered: place.elapsedMs() };
    },
    { checkout },
  );
}

async function answerOldest({ url, headers }: Place): Promise<void> {
  const listed = await fetch(`${url}/api/interactions?limit=1`, { headers });
  const { interactions } = (await listed.json()) as { interactions: { id: string }[] };
  const body = JSON.stringify({ action: "submit", input: { answer: "this one" } });
  const reply = await fetch(`${url}/api/interactions/${interactions[0]?.id}/respond`, {
    method: "POST",
    headers,
    body,
  });
  if (!reply.ok) throw new Error(`The answer was refused: ${await reply.text()}`);
}

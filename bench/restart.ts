import { withDirectory } from "./directories.ts";
import { figure, type Figures, under } from "./figures.ts";
import { type Place, withBeckon } from "./place.ts";
import { seedOpenPrompts } from "./seed-open-prompts.ts";
import type { Sizes } from "./sizes.ts";

const TARGET_MS = 2_000;

/** A restart with many open prompts until it listens and until it takes an answer; bare: with one. */
export function measureRestart({ prompts, rounds }: Sizes): Promise<Figures> {
  return withDirectory((many) =>
    withDirectory(async (few) => {
      // Each round takes one away.
      await seedOpenPrompts(many, prompts + rounds - 1);
      await seedOpenPrompts(few, rounds);
      const beckon: Restart[] = [];
      const bare: Restart[] = [];
      for (let round = 0; round < rounds; round++) {
        bare.push(await restart(few));
        beckon.push(await restart(many));
      }
      const compared = (what: string, of: keyof Restart) =>
        figure({
          what,
          reference: "the same with one open prompt",
          unit: "ms",
          beckon: beckon.map((one) => one[of]),
          bare: bare.map((one) => one[of]),
          target: under(TARGET_MS),
        });
      return {
        "restart.listening": compared(
          `start with ${prompts} open prompts to listening`,
          "listening",
        ),
        "restart.answer": compared("the same to the first answer taken", "answered"),
      };
    }),
  );
}

interface Restart {
  listening: number;
  answered: number;
}

function restart(data: string): Promise<Restart> {
  return withBeckon(data, async (place) => {
    await answerOldest(place);
    return { listening: place.startMs, answered: place.elapsedMs() };
  });
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

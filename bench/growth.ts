import { askAlone } from "./ask/asking.ts";
import { AskingClient } from "./ask/client.ts";
import { withDirectory } from "./directories.ts";
import { figure, type Figures, withinSpread } from "./figures.ts";
import { createSession, withBeckon } from "./place.ts";
import { seedLogs } from "./seed-log.ts";
import { seedOpenPrompts } from "./seed-open-prompts.ts";
import type { Sizes } from "./sizes.ts";

const SHORT_LOG = 100;

/** The same ask where much has happened before, and where much else is waiting. */
export async function measureGrowth(sizes: Sizes): Promise<Figures> {
  return { ...(await inLongLog(sizes)), ...(await besidePrompts(sizes)) };
}

function inLongLog({ longLog, ...sizes }: Sizes): Promise<Figures> {
  return withDirectory(async (data) => {
    await seedLogs(data, { short: SHORT_LOG, long: longLog });
    return withBeckon(data, async (place) => {
      const short = await AskingClient.open(place, "short", SHORT_LOG);
      const long = await AskingClient.open(place, "long", longLog);
      return {
        "growth.log": figure({
          what: `an ask in a session of ${longLog} events`,
          reference: `the same in one of ${SHORT_LOG}`,
          unit: "ms",
          ...(await compare(long, short, sizes)),
          target: withinSpread,
        }),
      };
    });
  });
}

function besidePrompts({ prompts, ...sizes }: Omit<Sizes, "longLog">): Promise<Figures> {
  return withDirectory((busy) =>
    withDirectory(async (empty) => {
      await seedOpenPrompts(busy, prompts);
      const took = await withBeckon(busy, (beckon) =>
        withBeckon(empty, async (bare) =>
          compare(
            await AskingClient.open(beckon, await createSession(beckon)),
            await AskingClient.open(bare, await createSession(bare)),
            sizes,
          ),
        ),
      );
      return {
        "growth.prompts": figure({
          what: `an ask on a server with ${prompts} other prompts open`,
          reference: "the same on an empty server",
          unit: "ms",
          ...took,
          target: withinSpread,
        }),
      };
    }),
  );
}

async function compare(
  much: AskingClient,
  little: AskingClient,
  { rounds, asks }: Pick<Sizes, "rounds" | "asks">,
): Promise<{ beckon: number[]; bare: number[] }> {
  const took = { beckon: [] as number[], bare: [] as number[] };
  for (const client of [little, much]) await askAlone(client, asks.before);
  for (let round = 0; round < rounds; round++) {
    took.bare.push(await askAlone(little, asks.alone));
    took.beckon.push(await askAlone(much, asks.alone));
  }
  await Promise.all([much.close(), little.close()]);
  return took;
}

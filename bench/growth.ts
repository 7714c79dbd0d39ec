import { askAlone } from "./ask/asking.ts";
import { AskingClient } from "./ask/client.ts";
import { withDirectory } from "./directories.ts";
import { figure, type Figures, withinSpread } from "./figures.ts";
import { type Opener, takeTurns, withLanes } from "./lanes.ts";
import { createSession, withBeckon } from "./place.ts";
import { seedsOf } from "./seeds.ts";
import type { Sizes } from "./sizes.ts";

const SHORT_LOG = 100;

/** The same ask where much has happened before, and where much else is waiting. */
export async function measureGrowth(sizes: Sizes, rival?: string): Promise<Figures> {
  const { longLog, prompts } = sizes;
  const logs = {
    bare: inLog(SHORT_LOG),
    beckon: inLog(longLog),
    rival: rival === undefined ? undefined : inLog(longLog, rival),
  };
  const servers = {
    bare: besidePrompts(0),
    beckon: besidePrompts(prompts),
    rival: rival === undefined ? undefined : besidePrompts(prompts, rival),
  };
  return {
    "growth.log": figure({
      what: `an ask in a session of ${longLog} events`,
      reference: `the same in one of ${SHORT_LOG}`,
      unit: "ms",
      ...(await compare(logs, sizes)),
      target: withinSpread,
    }),
    "growth.prompts": figure({
      what: `an ask on a server with ${prompts} other prompts open`,
      reference: "the same on an empty server",
      unit: "ms",
      ...(await compare(servers, sizes)),
      target: withinSpread,
    }),
  };
}

/** A client in a session with so long a log. */
function inLog(length: number, checkout?: string): Opener<AskingClient> {
  return (measure) =>
    withDirectory(async (data) => {
      const { seedLogs } = await seedsOf(checkout);
      await seedLogs(data, { seeded: length });
      return withBeckon(
        data,
        async (place) => measure(await AskingClient.open(place, "seeded", length)),
        { checkout },
      );
    });
}

/** A client on a server where so many prompts wait. */
function besidePrompts(count: number, checkout?: string): Opener<AskingClient> {
  return (measure) =>
    withDirectory(async (data) => {
      const { seedOpenPrompts } = await seedsOf(checkout);
      if (count > 0) await seedOpenPrompts(data, count);
      return withBeckon(
        data,
        async (place) => measure(await AskingClient.open(place, await createSession(place))),
        { checkout },
      );
    });
}

function compare<Name extends string>(
  openers: Record<Name, Opener<AskingClient> | undefined>,
  { rounds, asks }: Sizes,
): Promise<Record<Name, number[]>> {
  return withLanes(openers, (clients) =>
    takeTurns(clients, rounds, (client, isCounted) =>
      askAlone(client, isCounted ? asks.alone : asks.before),
    ),
  );
}

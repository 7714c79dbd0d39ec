import { median } from "../figures.ts";
import { mapLanes, takeTurns } from "../lanes.ts";
import type { Place } from "../place.ts";
import type { Sizes } from "../sizes.ts";
import type { Asker } from "./client.ts";
import type { AskingPlace } from "./places.ts";

type Places<Name extends string> = Record<Name, AskingPlace | undefined>;

/** What one ask takes of time and processor when many ask at once. */
interface Cost {
  perSecond: number;
  cpuMs: number;
}

/** One client each, and no other: the milliseconds of an ask, round by round. */
export async function aloneIn<Name extends string>(
  places: Places<Name>,
  { rounds, asks }: Sizes,
): Promise<Record<Name, number[]>> {
  const clients = await mapLanes(places, (place) => place.openClient());
  const took = await takeTurns(clients, rounds, (client, isCounted) =>
    askAlone(client, isCounted ? asks.alone : asks.before),
  );
  await mapLanes(clients, (client) => client.close());
  return took;
}

/** All clients of a place ask at once, round by round. */
export async function togetherIn<Name extends string>(
  places: Places<Name>,
  { rounds, asks }: Sizes,
): Promise<Record<Name, Cost[]>> {
  const lanes = await mapLanes(places, async (place) => {
    const clients: Asker[] = [];
    while (clients.length < asks.sessions) clients.push(await place.openClient());
    return { place, clients };
  });
  return takeTurns(lanes, rounds, ({ place, clients }) => askTogether(place, clients, asks.each));
}

/** The median of asks that follow each other. */
export async function askAlone(client: Asker, asks: number): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < asks; count++) took.push(await client.ask());
  return median(took);
}

async function askTogether(place: Place, clients: Asker[], each: number): Promise<Cost> {
  const before = await place.usage();
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let count = 0; count < each; count++) await client.ask();
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const done = clients.length * each;
  return {
    perSecond: done / seconds,
    cpuMs: ((await place.usage()).cpuMs - before.cpuMs) / done,
  };
}

import { withDirectory, withMemoryDirectory } from "../directories.ts";
import { atMost, figure, type Figures, noTarget } from "../figures.ts";
import type { Sizes } from "../sizes.ts";
import { askAlone, askTogether } from "./asking.ts";
import { type AskingPlace, inBeckon, inEcho, inReference } from "./places.ts";

const TARGETS = { alone: atMost(1.5), together: atMost(2), cpu: atMost(2) };

/** A turn that asks and is answered, beside a bare server that writes and sends the same. */
export async function measureAsk(sizes: Sizes): Promise<Figures> {
  return { ...(await measureTime(sizes)), ...(await measureProcessor(sizes)) };
}

/** On the disk. First with one client, then with all of them. */
function measureTime(sizes: Sizes): Promise<Figures> {
  return withBoth(withDirectory, async (beckon, bare) => {
    const reference = "a bare server that writes the same rows and checks nothing";
    const alone = await aloneIn([bare, beckon], sizes);
    const together = await togetherIn([bare, beckon], sizes);
    const rates = together.map((rounds) => rounds.map(({ perSecond }) => perSecond));
    return {
      "ask.alone": figure({
        what: "ask, answer, result, on disk, one after the other",
        reference,
        unit: "ms",
        beckon: alone[1] ?? [],
        bare: alone[0] ?? [],
        target: TARGETS.alone,
      }),
      "ask.together": figure({
        what: `the same in ${sizes.asks.sessions} sessions at once`,
        reference,
        unit: "asks/s",
        beckon: rates[1] ?? [],
        bare: rates[0] ?? [],
        target: TARGETS.together,
        isRate: true,
      }),
    };
  });
}

/** In memory, where a sync takes nothing of the processor: the rows are still written. */
function measureProcessor(sizes: Sizes): Promise<Figures> {
  return withBoth(withMemoryDirectory, (beckon, bare) =>
    inEcho(async (echo) => {
      const together = await togetherIn([echo, bare, beckon], sizes);
      const [ofEcho = [], ofBare = [], ofBeckon = []] = together.map((rounds) =>
        rounds.map(({ cpuMs }) => cpuMs),
      );
      return {
        "ask.cpu": figure({
          what: `processor time of the server for an ask, with ${sizes.asks.sessions} at once and without a disk`,
          reference: "the bare server that writes the same rows",
          unit: "ms",
          beckon: ofBeckon,
          bare: ofBare,
          target: TARGETS.cpu,
        }),
        "ask.cpuOverEcho": figure({
          what: "the same",
          reference: "a bare echo that sends the same frames and writes nothing",
          unit: "ms",
          beckon: ofBeckon,
          bare: ofEcho,
          target: noTarget,
        }),
      };
    }),
  );
}

/** One client each, and no other: every ask of the rounds, place by place. */
async function aloneIn(places: AskingPlace[], { rounds, asks }: Sizes): Promise<number[][]> {
  const lanes = await Promise.all(
    places.map(async (place) => ({ clients: await place.clients(1), took: [] as number[] })),
  );
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const { clients, took } of lanes) {
      for (const client of clients) {
        const ms = await askAlone(client, round < 0 ? asks.before : asks.alone);
        if (round >= 0) took.push(ms);
      }
    }
  }
  for (const { clients } of lanes) for (const client of clients) await client.close();
  return lanes.map(({ took }) => took);
}

/** All clients of a place ask at once, and the places take turns. */
async function togetherIn(places: AskingPlace[], { rounds, asks }: Sizes) {
  const lanes = await Promise.all(
    places.map(async (place) => ({
      place,
      clients: await place.clients(asks.sessions),
      took: [] as Awaited<ReturnType<typeof askTogether>>[],
    })),
  );
  for (let round = -1; round < rounds; round++) {
    for (const { place, clients, took } of lanes) {
      const cost = await askTogether(place, clients, asks.each);
      if (round >= 0) took.push(cost);
    }
  }
  return lanes.map(({ took }) => took);
}

function withBoth<Result>(
  inDirectory: typeof withDirectory,
  measure: (beckon: AskingPlace, bare: AskingPlace) => Promise<Result>,
): Promise<Result> {
  return inDirectory((ours) =>
    inDirectory((theirs) =>
      inBeckon(ours, (beckon) => inReference(theirs, (bare) => measure(beckon, bare))),
    ),
  );
}

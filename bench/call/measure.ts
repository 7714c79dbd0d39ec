import { aloneIn, togetherIn } from "../ask/asking.ts";
import { inBeckon, inPromises } from "../ask/places.ts";
import { withDirectory, withMemoryDirectory } from "../directories.ts";
import { atMost, figure, type Figures, noTarget } from "../figures.ts";
import { withLanes } from "../lanes.ts";
import type { Place } from "../place.ts";
import type { Sizes } from "../sizes.ts";
import { CallingClient } from "./client.ts";

const TARGET = atMost(3);
const reference = "a bare server that writes and sends what the promises need";

/** An operation asks over HTTP, a person answers on a socket, the caller gets the result. */
export async function measureCall(sizes: Sizes, rival?: string): Promise<Figures> {
  return { ...(await measureTime(sizes, rival)), ...(await measureProcessor(sizes, rival)) };
}

function openersIn(inDirectory: typeof withDirectory, rival: string | undefined) {
  const openClient = (place: Place, sessionId: string) => CallingClient.open(place, sessionId);
  const setting = { inDirectory, openClient };
  return {
    bare: inPromises(setting),
    beckon: inBeckon(setting),
    rival: rival === undefined ? undefined : inBeckon(setting, rival),
  };
}

function measureTime(sizes: Sizes, rival?: string): Promise<Figures> {
  return withLanes(openersIn(withDirectory, rival), async (places) => {
    const alone = await aloneIn(places, sizes);
    const together = await togetherIn(places, sizes);
    const rate = (lane: keyof typeof together) => together[lane].map(({ perSecond }) => perSecond);
    return {
      "call.alone": figure({
        what: "an operation asks over HTTP and is answered on a socket, on disk, one after the other",
        reference,
        unit: "ms",
        ...alone,
        target: TARGET,
      }),
      "call.together": figure({
        what: `the same in ${sizes.asks.sessions} sessions at once`,
        reference,
        unit: "asks/s",
        beckon: rate("beckon"),
        bare: rate("bare"),
        rival: rate("rival"),
        target: noTarget,
        isRate: true,
      }),
    };
  });
}

function measureProcessor(sizes: Sizes, rival?: string): Promise<Figures> {
  return withLanes(openersIn(withMemoryDirectory, rival), async (places) => {
    const together = await togetherIn(places, sizes);
    const cpu = (lane: keyof typeof together) => together[lane].map(({ cpuMs }) => cpuMs);
    return {
      "call.cpu": figure({
        what: `processor time of the server for that, with ${sizes.asks.sessions} at once and without a disk`,
        reference,
        unit: "ms",
        beckon: cpu("beckon"),
        bare: cpu("bare"),
        rival: cpu("rival"),
        target: TARGET,
      }),
    };
  });
}

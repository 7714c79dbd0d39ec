import { withDirectory, withMemoryDirectory } from "../directories.ts";
import { atMost, figure, type Figures, noTarget, type Target } from "../figures.ts";
import { withLanes } from "../lanes.ts";
import type { Sizes } from "../sizes.ts";
import { aloneIn, togetherIn } from "./asking.ts";
import { inBeckon, inEcho, inPromises, inReference } from "./places.ts";

const TARGETS = { alone: atMost(1.5), together: atMost(2), cpu: atMost(2), promises: atMost(3) };
const SAME_ROWS = "a bare server that writes the same rows and checks nothing";
const PROMISES = "a bare server that writes and sends what the promises need";

/** A turn that asks and is answered, beside bare servers that write and send the same, or less. */
export async function measureAsk(sizes: Sizes, rival?: string): Promise<Figures> {
  return { ...(await measureTime(sizes, rival)), ...(await measureProcessor(sizes, rival)) };
}

/** On the disk. First with one client, then with all of them. */
function measureTime(sizes: Sizes, rival?: string): Promise<Figures> {
  const setting = { inDirectory: withDirectory };
  const openers = {
    bare: inReference(setting),
    promises: inPromises(setting),
    beckon: inBeckon(setting),
    rival: rival === undefined ? undefined : inBeckon(setting, rival),
  };
  return withLanes(openers, async (places) => {
    const alone = await aloneIn(places, sizes);
    const together = await togetherIn(places, sizes);
    const rate = (lane: keyof typeof openers) => together[lane].map(({ perSecond }) => perSecond);
    const what = {
      alone: "ask, answer, result, on disk, one after the other",
      together: `the same in ${sizes.asks.sessions} sessions at once`,
    };
    return {
      "ask.alone": figure({
        what: what.alone,
        reference: SAME_ROWS,
        unit: "ms",
        ...alone,
        target: TARGETS.alone,
      }),
      "ask.aloneOverPromises": figure({
        what: what.alone,
        reference: PROMISES,
        unit: "ms",
        beckon: alone.beckon,
        bare: alone.promises,
        target: TARGETS.promises,
      }),
      "ask.together": figure({
        what: what.together,
        reference: SAME_ROWS,
        unit: "asks/s",
        beckon: rate("beckon"),
        bare: rate("bare"),
        rival: rate("rival"),
        target: TARGETS.together,
        isRate: true,
      }),
      "ask.togetherOverPromises": figure({
        what: what.together,
        reference: PROMISES,
        unit: "asks/s",
        beckon: rate("beckon"),
        bare: rate("promises"),
        target: noTarget,
        isRate: true,
      }),
    };
  });
}

/** In memory, where a sync takes nothing of the processor: the rows are still written. */
function measureProcessor(sizes: Sizes, rival?: string): Promise<Figures> {
  const setting = { inDirectory: withMemoryDirectory };
  const openers = {
    echo: inEcho(setting),
    bare: inReference(setting),
    promises: inPromises(setting),
    beckon: inBeckon(setting),
    rival: rival === undefined ? undefined : inBeckon(setting, rival),
  };
  return withLanes(openers, async (places) => {
    const together = await togetherIn(places, sizes);
    const cpu = (lane: keyof typeof openers) => together[lane].map(({ cpuMs }) => cpuMs);
    const what = `processor time of the server for an ask, with ${sizes.asks.sessions} at once and without a disk`;
    const compared = (reference: string, bare: number[], target: Target, against?: number[]) =>
      figure({
        what,
        reference,
        unit: "ms",
        beckon: cpu("beckon"),
        bare,
        rival: against,
        target,
      });
    const echo = "a bare echo that sends the same frames and writes nothing";
    return {
      "ask.cpu": compared(SAME_ROWS, cpu("bare"), TARGETS.cpu, cpu("rival")),
      "ask.cpuOverEcho": compared(echo, cpu("echo"), noTarget),
      "ask.cpuOverPromises": compared(PROMISES, cpu("promises"), TARGETS.promises),
    };
  });
}

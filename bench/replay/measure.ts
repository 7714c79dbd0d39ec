import { join } from "node:path";
import { connect, disconnect, heard } from "../connect.ts";
import { withDirectory } from "../directories.ts";
import { atMost, figure, type Figures } from "../figures.ts";
import { type Opener, takeTurns, withLanes } from "../lanes.ts";
import { type Place, withBare, withBeckon } from "../place.ts";
import { seedsOf } from "../seeds.ts";
import type { Sizes } from "../sizes.ts";

const TARGET = 2;
const SESSION = "replayed";

/** A whole log to one client, beside reading its rows and sending them. */
export function measureReplay(sizes: Sizes, rival?: string): Promise<Figures> {
  const { rounds, replayed } = sizes;
  const openers = {
    bare: inBare(replayed),
    beckon: inBeckon(replayed),
    rival: rival === undefined ? undefined : inBeckon(replayed, rival),
  };
  return withLanes(openers, async (places) => ({
    "replay.time": figure({
      what: `${replayed} events of a log, from subscribing to the last of them`,
      reference: "a bare server that reads the rows and sends them",
      unit: "ms",
      ...(await takeTurns(places, rounds, (place) => replay(place, replayed))),
      target: atMost(TARGET),
    }),
  }));
}

function inBeckon(length: number, checkout?: string): Opener<Place> {
  return (measure) =>
    withDirectory(async (data) => {
      const { seedLogs } = await seedsOf(checkout);
      await seedLogs(data, { [SESSION]: length });
      return withBeckon(data, measure, { checkout });
    });
}

function inBare(length: number): Opener<Place> {
  return (measure) =>
    withDirectory(async (data) => {
      const { seedLogs } = await seedsOf();
      await seedLogs(data, { [SESSION]: length });
      return withBare("replay/reference.ts", [join(data, "beckon.db")], measure);
    });
}

async function replay(place: Place, events: number): Promise<number> {
  const socket = await connect(place);
  const last = heard(socket, `"seq":${events},`);
  const began = performance.now();
  socket.send(JSON.stringify({ type: "subscribe", sessionId: SESSION, afterSeq: 0 }));
  await last;
  const took = performance.now() - began;
  await disconnect(socket);
  return took;
}

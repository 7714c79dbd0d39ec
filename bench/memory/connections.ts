import { connect, disconnect } from "../connect.ts";
import { withMemoryDirectory } from "../directories.ts";
import { beyondBare, figure, type Figures } from "../figures.ts";
import { createSession, type Place, withBare, withBeckon } from "../place.ts";
import type { Sizes } from "../sizes.ts";

const TARGET_KIB = 20;
const WARM_UP = 20;
const AT_ONCE = 20;

/** What a client that follows a session and says nothing costs, beside a socket of bare `ws`. */
export async function measureConnections({ connections, rounds }: Sizes): Promise<Figures> {
  const times = Math.min(rounds, 3);
  const beckon = await withMemoryDirectory((data) =>
    withBeckon(data, async (place) => weigh(place, await createSession(place), connections, times)),
  );
  const bare = await withBare("memory/sockets.ts", [], (place) =>
    weigh(place, "none", connections, times),
  );
  return {
    "memory.connection": figure({
      what: `heap of the server for each of ${connections} idle connections`,
      reference: "a socket of bare ws",
      unit: "KiB",
      beckon,
      bare,
      target: beyondBare(TARGET_KIB),
    }),
  };
}

/** Gives the KiB of each, a round. */
async function weigh(
  place: Place,
  sessionId: string,
  count: number,
  rounds: number,
): Promise<number[]> {
  await disconnect(...(await connectAll(place, sessionId, WARM_UP)));
  const weights: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await place.usage({ collect: true });
    const sockets = await connectAll(place, sessionId, count);
    const after = await place.usage({ collect: true });
    weights.push((after.heapBytes - before.heapBytes) / count / 1_024);
    await disconnect(...sockets);
  }
  return weights;
}

async function connectAll(place: Place, sessionId: string, count: number) {
  const sockets: Awaited<ReturnType<typeof connect>>[] = [];
  while (sockets.length < count) {
    const lot = Math.min(AT_ONCE, count - sockets.length);
    const some = Array.from({ length: lot }, () => connect(place, { sessionId }));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

import { join } from "node:path";
import { connect, disconnect, heard } from "../connect.ts";
import { withDirectory } from "../directories.ts";
import { atMost, figure, type Figures } from "../figures.ts";
import { type Place, withBare, withBeckon } from "../place.ts";
import { seedLogs } from "../seed-log.ts";
import type { Sizes } from "../sizes.ts";

const TARGET = 2;
const SESSION = "replayed";

/** A whole log to one client, beside reading its rows and sending them. */
export function measureReplay({ rounds, replayed }: Sizes): Promise<Figures> {
  return withDirectory(async (data) => {
    await seedLogs(data, { [SESSION]: replayed });
    const took = await withBeckon(data, (beckon) =>
      withBare("replay/reference.ts", [join(data, "beckon.db")], async (bare) => {
        const took = { beckon: [] as number[], bare: [] as number[] };
        // The first of each is not counted: it compiles.
        for (let round = -1; round < rounds; round++) {
          const [theirs, ours] = [await replay(bare, replayed), await replay(beckon, replayed)];
          if (round < 0) continue;
          took.bare.push(theirs);
          took.beckon.push(ours);
        }
        return took;
      }),
    );
    return {
      "replay.time": figure({
        what: `${replayed} events of a log, from subscribing to the last of them`,
        reference: "a bare server that reads the rows and sends them",
        unit: "ms",
        ...took,
        target: atMost(TARGET),
      }),
    };
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

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a PostgreSQL on which round trips are counted. */
interface CountedWay {
  url: string;
  /** Round trips so far, of all connections. */
  trips: () => number;
}

/**
 * Lets `measure` at a PostgreSQL over a proxy that counts. Whatever is sent on a connection before
 * the answer to what was sent before is one round trip.
 */
export async function withCountedTrips<Result>(
  url: string,
  measure: (way: CountedWay) => Promise<Result>,
): Promise<Result> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let trips = 0;
  const proxy = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let isWaiting = false;
    near.on("data", (data) => {
      if (!isWaiting) trips++;
      isWaiting = true;
      far.write(data);
    });
    far.on("data", (data) => {
      isWaiting = false;
      near.write(data);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket.setNoDelay(true));
      socket.on("error", () => {});
      socket.on("close", () => other.destroy());
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const way = new URL(url);
  way.port = String((proxy.address() as AddressInfo).port);
  try {
    return await measure({ url: way.href, trips: () => trips });
  } finally {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  }
}

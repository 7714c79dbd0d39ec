import { once } from "node:events";
import { WebSocket } from "ws";
import { type Asker, AskingClient } from "../ask/client.ts";
import type { AskingPlace } from "../ask/places.ts";
import { disconnect, heard } from "../connect.ts";
import { withDirectory } from "../directories.ts";
import type { Opener } from "../lanes.ts";
import { createSession, type Place, withBare, withBeckon } from "../place.ts";

/** So many servers on one database, and clients spread over them. */
export function inNodes(url: string, count: number): Opener<AskingPlace> {
  return (measure) => withNodes(url, count, (places) => measure(asOne(places)));
}

/** Lets `measure` at so many servers on one database. */
export function withNodes<Result>(
  url: string,
  count: number,
  measure: (places: Place[]) => Promise<Result>,
): Promise<Result> {
  const openNext = (places: Place[]): Promise<Result> => {
    if (places.length === count) return measure(places);
    const more = ["--store", url, "--node", `node-${places.length + 1}`];
    return withDirectory((data) =>
      withBeckon(data, (place) => openNext([...places, place]), { more }),
    );
  };
  return openNext([]);
}

/** Each client asks at another server, in a session that was made at the next one. */
function asOne(places: Place[]): AskingPlace {
  const [first] = places;
  if (!first) throw new Error("There is no server.");
  const at = (index: number) => places[index % places.length] ?? first;
  let count = 0;
  return {
    ...first,
    async usage(options) {
      const all = await Promise.all(places.map((place) => place.usage(options)));
      const sum = (of: "cpuMs" | "heapBytes" | "rss") =>
        all.reduce((total, one) => total + one[of], 0);
      return { cpuMs: sum("cpuMs"), heapBytes: sum("heapBytes"), rss: sum("rss") };
    },
    async openClient() {
      const index = count++;
      return AskingClient.open(at(index), await createSession(at(index + 1)));
    },
  };
}

/** The bare program that makes the same commits. Its tables have to be there. */
export function inReference(url: string): Opener<AskingPlace> {
  return (measure) =>
    withBare("postgres/reference.ts", [url], (place) =>
      measure({ ...place, openClient: () => openBareAsker(place) }),
    );
}

/** Has the commits of an ask made, one after the other, by one message. */
async function openBareAsker({ url }: Place): Promise<Asker> {
  const socket = new WebSocket(url.replace("http", "ws"));
  await once(socket, "open");
  return {
    async ask() {
      const ended = heard(socket, "ended");
      const began = performance.now();
      socket.send("ask");
      await ended;
      return performance.now() - began;
    },
    close: () => disconnect(socket),
  };
}

import { once } from "node:events";
import { WebSocket } from "ws";
import type { Place } from "./place.ts";

/** A socket that has been greeted, and follows a session if one is named. */
export async function connect(
  { url, headers }: Place,
  subscription?: { sessionId: string; afterSeq?: number },
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers });
  // Many may wait for something to be said on one of them.
  socket.setMaxListeners(0);
  await once(socket, "open");
  const ready = heard(socket, subscription ? '"type":"subscribed"' : '"type":"welcome"');
  socket.send(
    JSON.stringify({
      type: "hello",
      protocolVersion: 1,
      client: { id: "bench" },
      interaction: { supported: true, enabled: true },
      subscriptions: subscription ? [subscription] : [],
    }),
  );
  await ready;
  return socket;
}

/** Resolves with the first frame that holds all of these texts. */
export function heard(socket: WebSocket, ...texts: string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const take = (data: Buffer) => {
      if (!texts.every((text) => data.includes(text))) return;
      socket.off("message", take);
      socket.off("close", fail);
      resolve(data);
    };
    const fail = () => reject(new Error(`The server hung up before it said ${texts.join(", ")}.`));
    socket.on("message", take);
    socket.on("close", fail);
  });
}

export async function disconnect(...sockets: WebSocket[]): Promise<void> {
  await Promise.all(
    sockets.map(async (socket) => {
      socket.close();
      await once(socket, "close");
    }),
  );
}

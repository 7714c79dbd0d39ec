/**
 * The bare texts: keeps as many as it is told, each under an id.
 *
 *   node --import tsx bench/memory/texts.ts      prints {"url"} when it listens
 */
import { randomBytes } from "node:crypto";
import { listen } from "../bare-server.ts";

const kept = new Map<string, string>();

listen((socket) => {
  socket.on("message", (data: Buffer) => {
    const { count, text } = JSON.parse(data.toString()) as { count?: number; text: string };
    if (count === undefined) return socket.send('{"type":"welcome"}');
    for (let number = 0; number < count; number++) {
      const id = randomBytes(16).toString("base64url");
      // A copy of its own, as a row that was read would be.
      kept.set(id, Buffer.from(text).toString());
    }
    socket.send('{"type":"kept"}');
  });
});

/**
 * The bare sockets: greets, and keeps them open.
 *
 *   node --import tsx bench/memory/sockets.ts      prints {"url"} when it listens
 */
import { listen } from "../bare-server.ts";

listen((socket) => {
  socket.on("message", () => socket.send('{"type":"subscribed"}'));
});

/**
 * The bare broadcast: each time it is told something, it sends the frames of one turn to everybody.
 *
 *   node --import tsx bench/fan-out/reference.ts FRAMES      prints {"url"} when it listens
 */
import { readFileSync } from "node:fs";
import { listen } from "../bare-server.ts";

const turns = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as string[][];
let count = 0;
const server = listen((socket) => {
  socket.on("message", (data: Buffer) => {
    if (data.includes('"hello"')) return socket.send('{"type":"subscribed"}');
    for (const frame of turns[count++ % turns.length] ?? [])
      for (const client of server.clients) client.send(frame);
  });
});

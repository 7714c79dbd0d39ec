import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/**
 * Tells when processes die, by an event: who runs `hold` in bash keeps a connection to here open,
 * and so does everything that it starts, until the last of them is gone.
 */
export async function openHeldLine() {
  const server = createServer();
  const connections: Promise<Socket>[] = [];
  const waiting: ((socket: Socket) => void)[] = [];
  const next = () => {
    connections.push(new Promise((resolve) => waiting.push(resolve)));
  };
  next();
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    socket.resume();
    waiting.shift()?.(socket);
    next();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    /** A line of bash. */
    hold: `exec 9<>/dev/tcp/127.0.0.1/${port}`,
    /** The holders in order of arrival, once they are there; `gone` resolves when one has died. */
    async holder(index: number): Promise<{ gone: Promise<unknown>; isGone(): boolean }> {
      while (connections.length <= index) await connections.at(-1);
      const socket = (await connections[index]) as Socket;
      const gone = socket.closed ? Promise.resolve() : once(socket, "close");
      return { gone, isGone: () => socket.closed };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of connections.slice(0, -1)) (await socket).destroy();
      server.close();
    },
  };
}

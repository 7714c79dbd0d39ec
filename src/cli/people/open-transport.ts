import { WebSocket } from "ws";
import { createWebSocketTransport, type Transport } from "../../transport/index.ts";
import type { Io } from "../io.ts";
import { findAddress, readToken } from "../server/find-server.ts";

/** Something that nobody listens at: a server that is away says where it is when it is back. */
const NOWHERE = "http://127.0.0.1:1";

/**
 * A line to the server that stays up while a command runs. A server that comes back on another port
 * is found again, so its address is looked up for each try.
 *
 * @param interactive whether somebody can answer here, and so counts as there
 */
export function openTransport(
  io: Io,
  data: string,
  { interactive }: { interactive: boolean },
): Transport {
  const token = readToken(io, data);
  const address = () => findAddress(io, data) ?? NOWHERE;
  class Socket extends WebSocket {
    constructor() {
      const url = new URL("/ws", address().replace(/^http/, "ws"));
      super(url, { headers: { authorization: `Bearer ${token}` } });
    }
  }
  return createWebSocketTransport({
    url: NOWHERE,
    token,
    WebSocket: Socket,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(new URL(pathname + search, address()), request));
    },
    interactive,
  });
}

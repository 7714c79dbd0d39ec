import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Headers that only an upgrade has a use for. */
const OF_THE_UPGRADE = new Set(["upgrade", "http2-settings", "connection"]);

export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * A client may offer to go on in another protocol (`curl --http2` offers h2c), and a server that
 * does not know it answers as if it had not. Node has stopped reading HTTP here, so the request is
 * put back in front of the socket without its offer, and the socket is given to the server anew.
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  rest: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  // One request and no more: what a client sends ahead of the answer to its offer is nobody's.
  const lines = [`${method} ${url} HTTP/${httpVersion}`, "Connection: close"];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (!OF_THE_UPGRADE.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), rest]));
  server.emit("connection", socket);
}

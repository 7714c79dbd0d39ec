import { createServer, type RequestListener } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";

/** `ws` as it comes, on a port of its own, which it prints. */
export function listen(
  onConnection: (socket: WebSocket) => void,
  onRequest: RequestListener = (_request, reply) => reply.writeHead(426).end(),
): WebSocketServer {
  const http = createServer(onRequest);
  const server = new WebSocketServer({ server: http });
  server.on("connection", onConnection);
  http.listen(0, "127.0.0.1", () => {
    const address = http.address() as { port: number };
    console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
  });
  process.on("SIGTERM", () => process.exit(0));
  return server;
}

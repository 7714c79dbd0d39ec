import { type WebSocket, WebSocketServer } from "ws";

/** `ws` as it comes, on a port of its own, which it prints. */
export function listen(onConnection: (socket: WebSocket) => void): WebSocketServer {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", onConnection);
  server.on("listening", () => {
    const address = server.address() as { port: number };
    console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
  });
  process.on("SIGTERM", () => process.exit(0));
  return server;
}

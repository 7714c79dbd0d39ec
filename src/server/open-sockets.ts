import type { Server } from "node:http";
import type { Duplex } from "node:stream";

/**
 * The sockets of a server, and which of them are answering something. Node's own
 * `closeIdleConnections` leaves out sockets that never sent a request, and browsers open those
 * ahead of need: they would hold up every stop.
 */
export class OpenSockets {
  readonly #answering = new Map<Duplex, number>();
  #closing = false;

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#answering.set(socket, 0);
      socket.once("close", () => this.#answering.delete(socket));
    });
    server.on("request", ({ socket }, response) => {
      this.#count(socket, 1);
      response.once("close", () => this.#count(socket, -1));
    });
    // From here on it belongs to the WebSocket, which says goodbye in its own way.
    server.on("upgrade", ({ socket }) => this.#answering.delete(socket));
  }

  /** Closes each socket as soon as it is answering nothing. */
  close(): void {
    this.#closing = true;
    for (const socket of this.#answering.keys()) this.#count(socket, 0);
  }

  #count(socket: Duplex, change: number): void {
    const answering = this.#answering.get(socket);
    if (answering === undefined) return;
    this.#answering.set(socket, answering + change);
    if (this.#closing && answering + change === 0) socket.end(() => socket.destroy());
  }
}

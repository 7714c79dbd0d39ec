import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ConnectionLimits } from "../protocol/index.ts";

interface Line {
  address: string;
  /** How many requests on it have not been answered to the end. */
  answering: number;
  latest?: IncomingMessage | undefined;
  /** It belongs to a WebSocket, which says goodbye in its own way. */
  isUpgraded: boolean;
}

/**
 * The connections of a server: which are answering something, and which have shown no credential
 * yet. There is always room for one more: the connection that has done nothing for longest is closed
 * for it. Node's own `closeIdleConnections` leaves out sockets that never sent a request, and browsers
 * open those ahead of need: they would hold up every stop.
 */
export class OpenSockets {
  /** Those that have been used last are at the end, here and among the strangers. */
  readonly #lines = new Map<Duplex, Line>();
  readonly #strangers = new Set<Duplex>();
  readonly #strangersOf = new Map<string, Set<Duplex>>();
  #closing = false;

  watch(server: Server, limits: ConnectionLimits): void {
    server.maxConnections = limits.connections;
    server.on("connection", (socket) => {
      const line = this.#lines.get(socket);
      // What was offered as an upgrade comes back as a plain request.
      if (line) line.isUpgraded = false;
      else this.#arrive(socket, limits);
    });
    server.on("request", (request, response) => {
      const { socket } = request;
      const line = this.#lines.get(socket);
      if (line) line.latest = request;
      this.#count(socket, 1);
      response.once("close", () => this.#count(socket, -1));
    });
    server.on("upgrade", ({ socket }) => {
      const line = this.#lines.get(socket);
      if (line) line.isUpgraded = true;
    });
  }

  /** A good credential came over this connection. */
  recognise(socket: Duplex): void {
    this.#leaveStrangers(socket);
  }

  /** Closes each socket as soon as it is answering nothing. */
  close(): void {
    this.#closing = true;
    for (const socket of [...this.#lines.keys()]) this.#count(socket, 0);
  }

  #arrive(socket: Socket, limits: ConnectionLimits): void {
    const address = socket.remoteAddress ?? "";
    this.#lines.set(socket, { address, answering: 0, isUpgraded: false });
    this.#strangers.add(socket);
    const neighbours = this.#strangersOf.get(address) ?? new Set();
    this.#strangersOf.set(address, neighbours.add(socket));
    socket.once("close", () => this.#forget(socket));

    const isOther = (one: Duplex) => one !== socket;
    const cutOneOf = (strangers: Set<Duplex>) => {
      // What strangers may ask for takes no time, so one that is busy does not read its answer.
      this.#cut(this.#oldestIdle(strangers, isOther) ?? find(strangers, isOther));
    };
    if (neighbours.size > limits.strangersPerAddress) cutOneOf(neighbours);
    if (this.#strangers.size > limits.strangers) cutOneOf(this.#strangers);
    if (this.#lines.size > limits.connections - limits.connectionsKept) {
      this.#cut(this.#oldestIdle(this.#lines.keys(), isOther));
    }
  }

  #oldestIdle(sockets: Iterable<Duplex>, isOther: (one: Duplex) => boolean): Duplex | undefined {
    return find(sockets, (one) => isOther(one) && isIdle(this.#lines.get(one)));
  }

  #cut(socket: Duplex | undefined): void {
    if (!socket) return;
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Duplex): void {
    this.#leaveStrangers(socket);
    this.#lines.delete(socket);
  }

  #leaveStrangers(socket: Duplex): void {
    this.#strangers.delete(socket);
    const address = this.#lines.get(socket)?.address;
    if (address === undefined) return;
    const neighbours = this.#strangersOf.get(address);
    neighbours?.delete(socket);
    if (neighbours?.size === 0) this.#strangersOf.delete(address);
  }

  #count(socket: Duplex, change: number): void {
    const line = this.#lines.get(socket);
    if (!line) return;
    line.answering += change;
    if (line.answering === 0) line.latest = undefined;
    this.#moveToEnd(socket, line);
    const isOver = this.#closing && line.answering === 0 && !line.isUpgraded;
    if (isOver) socket.end(() => socket.destroy());
  }

  #moveToEnd(socket: Duplex, line: Line): void {
    this.#lines.delete(socket);
    this.#lines.set(socket, line);
    if (!this.#strangers.delete(socket)) return;
    this.#strangers.add(socket);
    const neighbours = this.#strangersOf.get(line.address);
    neighbours?.delete(socket);
    neighbours?.add(socket);
  }
}

/** Nothing is being answered on it: all it does is to wait for a request, or for the rest of one. */
function isIdle(line: Line | undefined): boolean {
  if (!line || line.isUpgraded) return false;
  return line.answering === 0 || line.latest?.complete === false;
}

function find<Item>(items: Iterable<Item>, isIt: (item: Item) => boolean): Item | undefined {
  for (const item of items) if (isIt(item)) return item;
  return undefined;
}

import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import {
  CLOSE_CODES,
  type FrameChannel,
  LIMITS,
  ProtocolError,
  type ServerFrame,
} from "../protocol/index.ts";
import { authenticate, readHeaders, readToken, requireOrigin } from "./access.ts";
import { openConnection } from "./connection.ts";
import { toErrorResponse } from "./errors.ts";
import { checkHostAndOrigin } from "./guard.ts";
import { setSafetyHeaders } from "./headers.ts";
import type { ServerParts } from "./parts.ts";

const KEEPALIVE_MS = 30_000;
/** The most that the outbox has under way: live frames, and a page of a replay. */
const MOST_BUFFERED = 2 * LIMITS.queuedBytesPerClient;

/** The most that is written together. */
const MOST_GATHERED = 16 * 1024;

const BINARY_REFUSED = JSON.stringify({
  type: "error",
  code: "invalid_request",
  error: "Frames are text. Send this one as a text frame.",
} satisfies ServerFrame);

/** `ws` refuses a message over its limit by itself, with 1009; our clients know that as 4009. */
class BeckonSocket extends WebSocket {
  override close(code?: number, data?: string | Buffer): void {
    super.close(code === 1009 ? CLOSE_CODES.tooLarge : code, data);
  }
}

export interface SocketEntrance {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts whoever has not closed by now. */
  terminate(): void;
}

export function createSocketEntrance(parts: ServerParts): SocketEntrance {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LIMITS.messageBytes,
    autoPong: false,
    // One message a turn of the loop: who sends thousands at once leaves room for others between.
    allowSynchronousEvents: false,
    WebSocket: BeckonSocket,
  });
  const alive = new WeakSet<WebSocket>();
  let armed = false;

  function keepAlive(): void {
    if (armed) return;
    armed = true;
    parts.clock.timer(KEEPALIVE_MS, () => {
      armed = false;
      for (const socket of server.clients) {
        if (!alive.delete(socket)) socket.terminate();
        else socket.ping();
      }
      if (server.clients.size > 0) keepAlive();
    });
  }

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { host, origin, site, authorization, cookie } = readHeaders(request);
    checkHostAndOrigin({ host, origin, site }, parts.hosts);
    const sent = readToken({ authorization, cookie, host });
    requireOrigin(sent, origin);
    const who = await authenticate(sent, parts.credentials);
    parts.sockets.recognise(socket);
    if (request.url?.split("?")[0] !== "/ws") {
      throw new ProtocolError("not_found", "The WebSocket is at /ws.");
    }
    // Held for good when there is a connection; here only whether there could be one.
    parts.clients.hold(who)();
    server.handleUpgrade(request, socket, head, (webSocket) => {
      alive.add(webSocket);
      webSocket.on("pong", () => alive.add(webSocket));
      openConnection(parts, toChannel(webSocket, socket), who, "websocket");
      keepAlive();
    });
  }

  return {
    upgrade(request, socket, head) {
      const onError = () => socket.destroy();
      socket.on("error", onError);
      admit(request, socket, head).then(
        () => socket.off("error", onError),
        (error: unknown) => refuse(socket, toErrorResponse(error, parts.log)),
      );
    },
    terminate() {
      for (const socket of server.clients) socket.terminate();
    },
  };
}

function toChannel(socket: WebSocket, stream: Duplex): FrameChannel {
  const gathering = new Gathering(socket, stream);
  const channel: FrameChannel = {
    send(frame, sent) {
      if (socket.readyState === WebSocket.OPEN) gathering.add(encode(frame), sent);
    },
    close(code, reason) {
      gathering.leave();
      socket.close(code, reason);
    },
  };
  // Replies that do not pass the outbox: who sends on and never reads must not pile them up here.
  const reply = (send: () => void) => {
    if (socket.bufferedAmount <= MOST_BUFFERED) send();
    else socket.terminate();
  };
  socket.on("ping", (data) => reply(() => socket.pong(data)));
  socket.on("message", (data: RawData, isBinary: boolean) => {
    if (isBinary) reply(() => channel.send(BINARY_REFUSED));
    else channel.onFrame?.(toText(data));
  });
  socket.on("close", (code, reason) => channel.onClose?.(code, reason.toString()));
  // A close always follows an error; without a listener the error would end the process.
  socket.on("error", () => {});
  return channel;
}

/**
 * All that is sent to a client without a break leaves in one write, which costs as much as for one
 * frame. Large frames leave by themselves: what is written together counts as under way until the
 * last of it has left, and a client that reads well must not look slow for that.
 */
class Gathering {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  #frames: Buffer[] = [];
  #sent: (() => void)[] = [];
  #bytes = 0;

  constructor(socket: WebSocket, stream: Duplex) {
    this.#socket = socket;
    this.#stream = stream;
  }

  add(frame: Buffer, sent: (() => void) | undefined): void {
    if (this.#bytes + frame.length > MOST_GATHERED) this.leave();
    if (this.#frames.length === 0) process.nextTick(this.leave);
    this.#frames.push(frame);
    this.#bytes += frame.length;
    if (sent) this.#sent.push(sent);
    if (frame.length > MOST_GATHERED) this.leave();
  }

  readonly leave = (): void => {
    const [frames, sent] = [this.#frames, this.#sent];
    if (frames.length === 0) return;
    [this.#frames, this.#sent, this.#bytes] = [[], [], 0];
    // After a close, which `ws` may have sent by itself, no frame may follow.
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const bytes = frames.length === 1 ? frames[0]! : Buffer.concat(frames);
    this.#stream.write(bytes, (error) => {
      if (!error) for (const tell of sent) tell();
    });
  };
}

const encoded = new Map<string, Buffer>();

/**
 * What is sent to many clients without a break is encoded once, header and all: `ws` would make a
 * header for each of them. Nothing here is compressed, so `ws` queues nothing that this could overtake.
 */
function encode(frame: string): Buffer {
  let bytes = encoded.get(frame);
  if (bytes === undefined) {
    if (encoded.size === 0) process.nextTick(() => encoded.clear());
    encoded.set(frame, (bytes = toTextFrame(frame)));
  }
  return bytes;
}

/** One whole unmasked text message, as RFC 6455 (5.2) lays it out. */
function toTextFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const start = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafe(start + size);
  bytes[0] = 0x81;
  bytes[1] = size < 126 ? size : size < 65_536 ? 126 : 127;
  if (start === 4) bytes.writeUInt16BE(size, 2);
  if (start === 10) bytes.writeBigUInt64BE(BigInt(size), 2);
  bytes.write(text, start);
  return bytes;
}

function toText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}

/** A plain HTTP answer on a socket that no HTTP server looks after any more. */
async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  setSafetyHeaders(response.headers, "/api");
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`,
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
  ];
  // Not only our half of it: who keeps the other one open would hold a socket for nothing.
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

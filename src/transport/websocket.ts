import type { FrameChannel } from "../protocol/index.ts";
import { createFrameClient, type FrameClientOptions } from "./frame-client.ts";
import type { Transport } from "./transport.ts";
import { whenBack } from "./when-back.ts";

/** A WebSocket, as far as it is used: the browser's, or that of the package `ws`. */
export interface WebSocketLike {
  send(text: string): void;
  close(code?: number): void;
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: { type: string; data?: unknown; code?: number; reason?: string }) => void,
  ): void;
}

export interface WebSocketTransportOptions {
  /** The address of the server, without a path. @default where the page came from */
  url?: string;
  /**
   * Goes into a header, which only programs can give to a WebSocket: a browser sends its cookie.
   *
   * @default none
   */
  token?: string;
  /** @default the global one, which Node has from version 22 on */
  WebSocket?: new (url: string, options?: never) => WebSocketLike;
  /** @default the global one */
  fetch?: FrameClientOptions["fetch"];
  /** @default a random one */
  clientId?: string;
  /** Whether people may answer here, until `setInteractive` says otherwise. @default true */
  interactive?: boolean;
  timers?: FrameClientOptions["timers"];
}

/** A transport over one WebSocket, for a page or a program. It connects at once. */
export function createWebSocketTransport(options: WebSocketTransportOptions = {}): Transport {
  const { token, clientId, interactive, timers } = options;
  const baseUrl = (options.url ?? location.origin).replace(/\/+$/, "");
  const Socket = options.WebSocket ?? WebSocket;
  const address = `${baseUrl.replace(/^http/, "ws")}/ws`;
  const bearer =
    token === undefined ? undefined : { headers: { authorization: `Bearer ${token}` } };
  return createFrameClient({
    open: () => toChannel(bearer ? new Socket(address, bearer as never) : new Socket(address)),
    fetch: options.fetch,
    baseUrl,
    token,
    clientId,
    interactive,
    timers,
    whenBack,
  });
}

/** What is sent before the socket is open waits for that. */
function toChannel(socket: WebSocketLike): FrameChannel {
  let waiting: string[] | undefined = [];
  const channel: FrameChannel = {
    send(frame) {
      if (waiting) waiting.push(frame);
      else socket.send(frame);
    },
    close: (code = 1000) => socket.close(code),
  };
  socket.addEventListener("open", () => {
    const frames = waiting ?? [];
    waiting = undefined;
    for (const frame of frames) socket.send(frame);
  });
  socket.addEventListener("message", ({ data }) => channel.onFrame?.(String(data)));
  socket.addEventListener("close", ({ code = 1006, reason = "" }) =>
    channel.onClose?.(code, reason),
  );
  // A close always follows; `ws` ends the process over an error that nobody hears.
  socket.addEventListener("error", () => {});
  return channel;
}

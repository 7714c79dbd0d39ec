import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Log } from "../core/index.ts";
import { type ConnectionLimits, CONNECTIONS, ProtocolError } from "../protocol/index.ts";
import { readHost } from "./access.ts";
import type { Entrances } from "./entrances.ts";
import { toErrorBody } from "./errors.ts";
import { type Hosts, isAllowedHost, isHostName } from "./guard.ts";
import { isWebSocket, serveWithoutUpgrade } from "./other-upgrades.ts";
import { setSafetyHeaders } from "./headers.ts";
import type { ServerParts } from "./parts.ts";

const DRAIN_MS = 5_000;

export interface Listener {
  /** `http://HOST:PORT`, without a slash at its end. */
  url: string;
  port: number;
  /** Stops accepting, closes sockets and streams, waits a few seconds for the rest, then cuts it. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  /** For tests, which lower them. @default CONNECTIONS */
  limits?: Partial<ConnectionLimits>;
}

/**
 * Opens the HTTP server and its WebSocket. Throws a sentence when it cannot, or should not.
 *
 * @param enter loads what answers; it is called once the port is open, and requests wait for it
 */
export async function listen(
  parts: ServerParts,
  enter: () => Promise<Entrances>,
  at: ListenOptions,
): Promise<Listener> {
  if (!isLoopback(at.host) && parts.hosts.allowHosts.length === 0) {
    throw new Error(
      `${at.host} can be reached from other machines. Name the hosts that people will use with --allow-host NAME, or listen on 127.0.0.1.`,
    );
  }
  for (const name of parts.hosts.allowHosts) {
    if (!isHostName(name)) {
      throw new Error(
        `--allow-host ${JSON.stringify(name)} is no name of a host. Write it as NAME or NAME:PORT.`,
      );
    }
  }
  let entrances: Entrances | undefined;
  const load = async () => (entrances = await enter());
  /** Without a promise between once they are loaded: that would be one for every request. */
  const through = (socket: Duplex, use: (loaded: Entrances) => unknown): void => {
    if (entrances) return void use(entrances);
    const hangUp = () => socket.destroy();
    socket.on("error", hangUp);
    const used = load().then(use);
    used
      .then(() => socket.off("error", hangUp))
      .catch((error: unknown) => {
        parts.log.error({ error }, "a request could not be answered");
        hangUp();
      });
  };
  const limits = { ...CONNECTIONS, ...at.limits };
  const server = createServer(
    { connectionsCheckingInterval: limits.checkMs },
    (request, response) => {
      const refusal = whyRefused(request, parts.hosts);
      if (refusal) refuse(request, response, refusal, parts.log);
      else through(request.socket, (loaded) => void loaded.answer(request, response));
    },
  );
  parts.sockets.watch(server, limits);
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  server.on("upgrade", (request, socket, head) => {
    if (!isWebSocket(request)) serveWithoutUpgrade(server, request, socket, head);
    else through(socket, (loaded) => loaded.webSockets.upgrade(request, socket, head));
  });

  await bind(server, at);
  const { port } = server.address() as AddressInfo;
  // Not later than this: the files of a server that runs may be replaced by those of another version.
  setImmediate(() => {
    load().catch((error: unknown) => parts.log.error({ error }, "nothing can be answered"));
  });
  parts.hosts.port = port;
  return {
    url: `http://${urlHost(at.host, parts.hosts.allowHosts)}:${port}`,
    port,
    close: () => close(server, parts, () => entrances?.webSockets.terminate()),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function urlHost(host: string, allowHosts: readonly string[]): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  const bracketed = host.includes(":") ? `[${host}]` : host;
  if (isLoopback(host) || allowHosts.includes(bracketed)) return bracketed;
  return allowHosts[0]?.replace(/:\d+$/, "") ?? bracketed;
}

function bind(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new Error(whyNotBound(error, host, port), { cause: error }));
    });
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function whyNotBound(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use. Stop what uses it, or choose another with --port (0 picks one).`;
    case "EACCES":
      return `Port ${port} may not be opened by this user. Choose one above 1023 with --port.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine. Choose another with --host.`;
    default:
      return `The server could not listen on ${host}, port ${port}: ${error.message}.`;
  }
}

async function close(
  server: Server,
  { sockets, clients }: ServerParts,
  terminate: () => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  clients.closeAll();
  sockets.close();
  const cut = setTimeout(() => {
    terminate();
    server.closeAllConnections();
  }, DRAIN_MS);
  await closed;
  clearTimeout(cut);
}

/**
 * The adapter makes an address of the Host header and the request line, so both must be looked at
 * before that. A request line with a host of its own is for proxies, and would outrank the header.
 */
function whyRefused(request: IncomingMessage, hosts: Hosts): ProtocolError | undefined {
  if (!isAllowedHost(readHost(request) ?? "", hosts)) {
    return new ProtocolError("forbidden_host", "This server does not answer to that Host.");
  }
  if (request.url?.startsWith("/")) return undefined;
  return new ProtocolError("invalid_request", "Ask for a path that begins with a slash.");
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: ProtocolError,
  log: Log,
): void {
  request.resume();
  const headers = new Headers({ "Content-Type": "application/json", Connection: "close" });
  setSafetyHeaders(headers, "/api");
  response.writeHead(error.status, [...headers].flat());
  response.end(JSON.stringify(toErrorBody(error, log)));
}

import type { Bus, Clock, Core, Ids, Log } from "../core/index.ts";
import type { FrameChannel } from "../protocol/index.ts";
import { Clients } from "./clients.ts";
import type { Credentials } from "./credentials.ts";
import { connectDirect } from "./direct.ts";
import type { Entrances } from "./entrances.ts";
import { type Listener, listen, type ListenOptions } from "./listen.ts";
import { OpenSockets } from "./open-sockets.ts";
import { createPage, type Page } from "./page/index.ts";
import type { ServerParts } from "./parts.ts";
import type { PluginDirectory } from "./plugin-directory.ts";

export interface ServerOptions {
  core: Core;
  credentials: Credentials;
  plugins: PluginDirectory;
  clock: Clock;
  ids: Ids;
  log: Log;
  version: string;
  /** Tells at once of tokens that this process revokes; without it they are found within 500 ms. */
  bus?: Bus;
  /** Names beside the loopback ones: `name` or `name:port`. @default none */
  allowHosts?: readonly string[];
  /** What `/` shows. @default the web app, as `npm run build` makes it */
  page?: Page;
}

/** Every entrance to one core. All of them make the same checks. */
export interface BeckonServer {
  /** Answers a request in process. Without a Host header its address counts: `http://localhost/…`. */
  fetch(request: Request): Promise<Response>;
  /** Speaks the frames of `/ws` in process. */
  connect(token: string): FrameChannel;
  listen(at: ListenOptions): Promise<Listener>;
  /** Ends streams and connections that have no listener of their own to close them. */
  close(): void;
}

export function createServer(options: ServerOptions): BeckonServer {
  const parts: ServerParts = {
    core: options.core,
    credentials: options.credentials,
    plugins: options.plugins,
    hosts: { allowHosts: options.allowHosts ?? [] },
    clients: new Clients(options),
    sockets: new OpenSockets(),
    clock: options.clock,
    ids: options.ids,
    log: options.log,
    version: options.version,
    page: options.page ?? createPage(),
  };
  let entrances: Promise<Entrances> | undefined;
  const enter = () =>
    (entrances ??= import("./entrances.ts").then(({ createEntrances }) => createEntrances(parts)));
  return {
    fetch: async (request) => (await enter()).fetch(request),
    connect: (token) => connectDirect(parts, token),
    listen: (at) => listen(parts, enter, at),
    close: () => parts.clients.closeAll(),
  };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock, Core, Ids, Log, Who } from "../core/index.ts";
import type { Clients } from "./clients.ts";
import type { Credentials } from "./credentials.ts";
import type { Hosts } from "./guard.ts";
import type { OpenSockets } from "./open-sockets.ts";
import type { Page } from "./page/index.ts";
import type { PluginDirectory } from "./plugin-directory.ts";

/** What every entrance is made from. */
export interface ServerParts {
  core: Core;
  credentials: Credentials;
  plugins: PluginDirectory;
  hosts: Hosts;
  clients: Clients;
  sockets: OpenSockets;
  clock: Clock;
  ids: Ids;
  log: Log;
  version: string;
  page: Page;
}

export interface AppEnv {
  /** Of Node, where the request came over a connection. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse } | undefined;
  Variables: { who: Who; by: "bearer" | "cookie" };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ProtocolError } from "../protocol/index.ts";
import { createApp } from "./app.ts";
import { toErrorResponse } from "./errors.ts";
import type { ServerParts } from "./parts.ts";
import { createSocketEntrance, type SocketEntrance } from "./websocket.ts";

/** HTTP and the WebSocket of one server. Their libraries are loaded once the port is open. */
export interface Entrances {
  fetch(request: Request): Response | Promise<Response>;
  answer(request: IncomingMessage, response: ServerResponse): unknown;
  webSockets: SocketEntrance;
}

export function createEntrances(parts: ServerParts): Entrances {
  const app = createApp(parts);
  return {
    fetch: (request) => app.fetch(request),
    // The listener hands over the response of Node beside the request.
    answer: getRequestListener((request, bindings) => app.fetch(request, bindings), {
      errorHandler: (error) => {
        const bad = new ProtocolError(
          "invalid_request",
          "The address of the request is not valid.",
        );
        const isUnexpected = !(error instanceof Error && error.name === "RequestError");
        return toErrorResponse(isUnexpected ? error : bad, parts.log);
      },
    }),
    webSockets: createSocketEntrance(parts),
  };
}

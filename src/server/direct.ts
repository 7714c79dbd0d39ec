import { CLOSE_CODES, type FrameChannel, ProtocolError } from "../protocol/index.ts";
import { authenticate } from "./access.ts";
import { openConnection } from "./connection.ts";
import { createDirectPair } from "./direct-channel.ts";
import type { ServerParts } from "./parts.ts";

/**
 * A connection without a socket, with the same checks as one with: the frames are those of `/ws`,
 * and a token that is not good closes it with 4001.
 */
export function connectDirect(parts: ServerParts, token: string): FrameChannel {
  const [client, server] = createDirectPair();
  authenticate({ tokens: [token], by: "bearer" }, parts.credentials).then(
    (who) => openConnection(parts, server, who, "direct"),
    (error: unknown) => {
      const isRefused = error instanceof ProtocolError && error.code === "unauthorized";
      // A store that is away says nothing about the token: who comes back later may be let in.
      if (isRefused) server.close(CLOSE_CODES.credentialEnded, "The token is not good.");
      else server.close(CLOSE_CODES.goingAway, "The token cannot be checked now. Try again.");
    },
  );
  return client;
}

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
  authenticate({ tokens: [token], by: "bearer" }, parts.credentials)
    .then((who) => void openConnection(parts, server, who, "direct"))
    .catch((error: unknown) => {
      const code = error instanceof ProtocolError ? error.code : undefined;
      if (code === "too_many") server.close(CLOSE_CODES.tooMany, (error as Error).message);
      else if (code === "unauthorized")
        server.close(CLOSE_CODES.credentialEnded, "The token is not good.");
      // A store that is away says nothing about the token: who comes back later may be let in.
      else server.close(CLOSE_CODES.goingAway, "The token cannot be checked now. Try again.");
    });
  return client;
}

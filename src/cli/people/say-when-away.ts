import type { Transport } from "../../transport/index.ts";
import type { Io } from "../io.ts";
import { AWAY } from "../server/connection.ts";

/** Says once that the server is away, and once that it is back. */
export function sayWhenAway(io: Io, transport: Transport): void {
  let isAway = false;
  transport.onConnection(({ state, retryAt }) => {
    // A transport that was closed here is offline too, and tries no more.
    if (state === "offline" && retryAt !== undefined && !isAway) {
      isAway = true;
      io.err(AWAY);
    } else if (state === "online" && isAway) {
      isAway = false;
      io.err("The server is back.");
    }
  });
}

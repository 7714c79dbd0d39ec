import { Departure } from "../core/index.ts";
import type { Context } from "hono";
import { ProtocolError } from "../protocol/index.ts";
import { unauthorized } from "./access.ts";
import type { Clients } from "./clients.ts";
import type { AppEnv } from "./parts.ts";

/**
 * Runs work for a request that may be held for long, while its caller is there and the server does
 * not stop. `gone` tells the work when that is over.
 */
export async function held<Result>(
  c: Context<AppEnv>,
  clients: Clients,
  work: (gone: Departure) => Promise<Result>,
): Promise<Result> {
  const { gone, release } = hangUpOf(c);
  const leave = clients.add({
    tokenId: c.get("who").tokenId,
    end(why) {
      if (why === "going_away") gone.leave();
    },
  });
  try {
    return await work(gone);
  } finally {
    leave();
    release();
  }
}

/**
 * The same while the credential is good that the request came with; when that ends, so does the
 * request, with 401.
 *
 * @param comeBackWith the header with which to come back to work that may wait for a person for
 * days: the server does not wait for that before it stops. Without it the work ends by itself.
 */
export function whileGood<Result>(
  c: Context<AppEnv>,
  clients: Clients,
  work: (gone: Departure) => Promise<Result>,
  comeBackWith?: string,
): Promise<Result> {
  const who = c.get("who");
  const free = clients.hold(who);
  const { gone, release } = hangUpOf(c);
  return new Promise<Result>((resolve, reject) => {
    const leave = clients.add({
      tokenId: who.tokenId,
      end(why) {
        if (why === "credential_ended") reject(unauthorized());
        else if (comeBackWith !== undefined) return reject(isStopping(comeBackWith));
        // Who is sent away has hung up, as far as the work is concerned.
        gone.leave();
      },
    });
    void work(gone)
      .then(resolve, reject)
      .finally(() => {
        leave();
        release();
        free();
      });
  });
}

/** When the caller hangs up. Over a connection no signal is made for that: it is dear. */
function hangUpOf(c: Context<AppEnv>): { gone: Departure; release: () => void } {
  const gone = new Departure();
  const leave = () => gone.leave();
  const outgoing = c.env?.outgoing;
  if (outgoing) {
    if (outgoing.closed) leave();
    else outgoing.once("close", leave);
    return { gone, release: () => void outgoing.off("close", leave) };
  }
  const { signal } = c.req.raw;
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  return { gone, release: () => signal.removeEventListener("abort", leave) };
}

function isStopping(header: string): ProtocolError {
  return new ProtocolError(
    "store_unavailable",
    `The server is stopping. Call again with the same ${header} once it is back.`,
  );
}

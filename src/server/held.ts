import type { Who } from "../core/index.ts";
import { ProtocolError } from "../protocol/index.ts";
import { unauthorized } from "./access.ts";
import type { Clients } from "./clients.ts";

/**
 * Runs work for a request that may be held for long, while the credential that it came with is
 * good; when that ends, so does the request, with 401. The signal aborts then.
 */
export async function whileGood<Result>(
  clients: Clients,
  who: Who,
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { tokenId } = who;
  const free = clients.hold(who);
  const ended = new AbortController();
  let leave = () => {};
  const refused = new Promise<never>((_resolve, reject) => {
    leave = clients.add({
      tokenId,
      end(why) {
        if (why !== "credential_ended") return;
        ended.abort();
        reject(unauthorized());
      },
    });
  });
  try {
    return await Promise.race([refused, work(ended.signal)]);
  } finally {
    leave();
    free();
  }
}

/**
 * Runs work that may be held for long, with a signal that aborts when the first of `signals` does.
 * Lets go of them afterwards: some live as long as the server.
 */
export async function held<Result>(
  signals: AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const first = new AbortController();
  const abort = () => first.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
  }
  try {
    return await work(first.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}

/**
 * What may wait for a person for days; the server does not wait for that before it stops, but says
 * with which header to come back.
 */
export async function unlessStopping<Result>(
  clients: Clients,
  header: string,
  work: Promise<Result>,
): Promise<Result> {
  return held([clients.closing], (stopping) => Promise.race([work, refusedWhen(stopping, header)]));
}

function refusedWhen(stopping: AbortSignal, header: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = () =>
      reject(
        new ProtocolError(
          "store_unavailable",
          `The server is stopping. Call again with the same ${header} once it is back.`,
        ),
      );
    if (stopping.aborted) refuse();
    stopping.addEventListener("abort", refuse, { once: true });
  });
}

import type { Clock, LogSink, OutgoingEvent, Who } from "../core/index.ts";
import { LIMITS } from "../protocol/index.ts";
import { meterOf } from "./meter.ts";
import type { ServerParts } from "./parts.ts";
import { SseBody } from "./sse-body.ts";

const HEARTBEAT_MS = 20_000;

/** A session's log as server-sent events: what is missing since `after`, then what happens. */
export function openEventStream(
  parts: ServerParts,
  who: Who,
  query: { sessionId: string; after?: number },
): Promise<Response> {
  return openSse(parts, who, query, (body) => ({
    send: (event, live) => body.send(toSse(event), live),
    drained: () => body.drained(),
  }));
}

/**
 * A stream that is fed from a session's log by the sink that `feed` makes. Resolves once the
 * subscription has begun, so that a refusal is still a plain HTTP error. A person who listens here
 * counts as there.
 */
export async function openSse(
  parts: ServerParts,
  who: Who,
  query: { sessionId: string; after?: number },
  feed: (body: SseBody) => LogSink,
): Promise<Response> {
  const { core, clients, clock, log } = parts;
  const cleanups: (() => void)[] = [clients.hold(who)];
  const onEnded = () => {
    for (const cleanup of cleanups.splice(0)) cleanup();
  };
  const meter = meterOf(core.quotas, who);
  const body = new SseBody(LIMITS.queuedBytesPerClient, onEnded, meter);
  const onEnd = (cleanup: () => void) => (body.ended ? cleanup() : void cleanups.push(cleanup));

  await new Promise<void>((resolve, reject) => {
    let started = false;
    core
      .subscribe(who, query, feed(body), () => {
        started = true;
        resolve();
      })
      .then(
        (subscription) => {
          onEnd(() => subscription.close());
          resolve();
        },
        (error: unknown) => {
          if (started && !body.ended) log.warn({ error, query }, "an event stream broke off");
          body.end();
          reject(error);
        },
      );
  });

  onEnd(clients.add({ tokenId: who.tokenId, end: () => body.end() }));
  const watch = core.watch({
    who,
    sessionDeleted: (sessionId) => {
      if (sessionId === query.sessionId) body.end();
    },
  });
  onEnd(() => watch.close());
  if (who.kind === "person") {
    const presence = core.attend(who, { supported: true, enabled: true });
    onEnd(() => presence.close());
  }
  onEnd(every(clock, HEARTBEAT_MS, () => body.send(": still here\n\n", false)));

  return new Response(body.stream, {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}

function every(clock: Clock, ms: number, work: () => void): () => void {
  const again = (): (() => void) =>
    clock.timer(ms, () => {
      work();
      stop = again();
    });
  let stop = again();
  return () => stop();
}

/** `json` is one line: JSON text has no bare line breaks. */
function toSse(event: OutgoingEvent): string {
  const id = event.seq === undefined ? "" : `id: ${event.seq}\n`;
  return `${id}data: ${event.json}\n\n`;
}

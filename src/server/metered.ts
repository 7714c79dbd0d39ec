import type { ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import { LIMITS } from "../protocol/index.ts";
import { type Meter, meterOf } from "./meter.ts";
import type { AppEnv, ServerParts } from "./parts.ts";

const BODILESS = new Set(["GET", "HEAD", "DELETE"]);

/** Counts each request of a caller who is known, and what is sent back. Streams count themselves. */
export function metered(parts: ServerParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const who = c.get("who");
    if (!who) return next();
    const meter = meterOf(parts.core.quotas, who);
    meter.received(bodyBytes(c.req.method, c.req.header("content-length")));
    const outgoing = c.env?.outgoing;
    const before = outgoing?.socket?.bytesWritten ?? 0;
    await next();
    if (c.res.headers.get("content-type")?.startsWith("text/event-stream")) return;
    if (outgoing) whenWritten(outgoing, before, meter);
    else meter.sent((await c.res.clone().arrayBuffer()).byteLength);
  };
}

/**
 * A body that does not say how long it is counts as the longest that most routes take. One that
 * claims more than any route takes is refused unread, and counts as the longest that is read: a
 * number alone must not use up what all machines share.
 */
function bodyBytes(method: string, length: string | undefined): number {
  if (BODILESS.has(method)) return 0;
  if (length === undefined) return LIMITS.messageBytes;
  return Math.min(Number(length) || 0, LIMITS.toolInputBytes);
}

function whenWritten(outgoing: ServerResponse, before: number, meter: Meter): void {
  const { socket } = outgoing;
  outgoing.once("close", () => meter.sent(Math.max(0, (socket?.bytesWritten ?? before) - before)));
}

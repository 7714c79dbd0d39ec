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
    if (outgoing) {
      countWhenWritten(outgoing, meter);
      return next();
    }
    await next();
    if (isStream(c.res.headers.get("content-type"))) return;
    meter.sent((await c.res.clone().arrayBuffer()).byteLength);
  };
}

function isStream(type: unknown): boolean {
  return typeof type === "string" && type.startsWith("text/event-stream");
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

function countWhenWritten(outgoing: ServerResponse, meter: Meter): void {
  const { socket } = outgoing;
  const before = socket?.bytesWritten ?? 0;
  outgoing.once("close", () => {
    if (isStream(outgoing.getHeader("content-type"))) return;
    meter.sent(Math.max(0, (socket?.bytesWritten ?? before) - before));
  });
}

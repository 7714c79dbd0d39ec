import { type Log, StoreUnavailable } from "../core/index.ts";
import { type ErrorBody, HTTP_STATUS, ProtocolError } from "../protocol/index.ts";

/** What a client is told about an error. What nobody foresaw goes to the log and not on the wire. */
export function toErrorBody(error: unknown, log: Log): ErrorBody {
  if (error instanceof ProtocolError) return error.toBody();
  if (error instanceof StoreUnavailable) {
    log.warn({ error }, "the store is unavailable");
    return {
      error: "Nothing can be stored or read right now, and nothing was. Try again in a moment.",
      code: "store_unavailable",
    };
  }
  log.error({ error }, "unexpected error");
  return { error: "Something went wrong on the server; its log says what.", code: "internal" };
}

export function toErrorResponse(error: unknown, log: Log): Response {
  const body = toErrorBody(error, log);
  const headers = new Headers();
  if (body.code === "store_unavailable") headers.set("Retry-After", "1");
  if (body.code === "too_many") headers.set("Retry-After", `${Number(body["retryAfter"] ?? 1)}`);
  if (body.code === "unauthorized") headers.set("WWW-Authenticate", "Bearer");
  return Response.json(body, { status: HTTP_STATUS[body.code], headers });
}

import { z } from "zod";
import { LIMITS, type Limits, parseBody, parseJson, ProtocolError } from "../protocol/index.ts";

/** Of a request that says all by its address. */
export const Nothing = z.looseObject({});

/**
 * Reads a JSON body: first its size, then its type, then its shape, in the order in which errors
 * are promised. An empty body is an empty object.
 */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  limit: number = LIMITS.messageBytes,
  shape: Limits = LIMITS,
): Promise<z.infer<Schema>> {
  const bytes = await (saysItsLength(request) ? readWhole : readPieces)(request, limit);
  const type = request.headers.get("content-type");
  if (!isJson(type) && !(type === null && bytes.length === 0)) {
    throw new ProtocolError(
      "json_required",
      "Send the body as JSON, with the header Content-Type: application/json.",
    );
  }
  if (request.headers.has("content-encoding")) {
    throw new ProtocolError("json_required", "Send the body as it is, without Content-Encoding.");
  }
  const text = toText(bytes);
  return parseBody(schema, text === "" ? {} : parseJson(text, shape));
}

function isJson(type: string | null): boolean {
  return type !== null && /^application\/json\s*(?:;|$)/i.test(type);
}

function saysItsLength(request: Request): boolean {
  return request.headers.get("content-length") !== null;
}

/**
 * Reads a body that says how long it is: no more than that arrives over a connection. In one piece,
 * for which the adapter needs no stream and no `Request` of the web.
 */
async function readWhole(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > limit) throw tooLarge(limit);
  const bytes = new Uint8Array(
    await request.arrayBuffer().catch((cause: unknown) => {
      throw brokenOff(cause);
    }),
  );
  // In our own process anything can be said.
  if (bytes.byteLength > limit) throw tooLarge(limit);
  return bytes;
}

/** Counts what arrives of a body that does not say how long it is. */
async function readPieces(request: Request, limit: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw brokenOff(cause);
    });
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function toText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw invalid("The body is not UTF-8 text.", cause);
  }
}

function brokenOff(cause: unknown): ProtocolError {
  return invalid("The body broke off before its end.", cause);
}

function tooLarge(limit: number): ProtocolError {
  return new ProtocolError("too_large", `The body is larger than ${limit} bytes. Send less.`);
}

function invalid(sentence: string, cause: unknown): ProtocolError {
  const error = new ProtocolError("invalid_request", sentence, {
    issues: [{ path: "", message: sentence }],
  });
  error.cause = cause;
  return error;
}

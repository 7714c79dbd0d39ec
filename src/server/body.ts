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
  const bytes = await readBytes(request, limit);
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

/** Counts what arrives: a Content-Length may be missing or wrong. */
async function readBytes(request: Request, limit: number): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  if (!request.body) return Buffer.alloc(0);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw invalid("The body broke off before its end.", cause);
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

function toText(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid("The body is not UTF-8 text.", cause);
  }
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

import { createInterface } from "node:readline";
import { Readable } from "node:stream";

type Id = string | number;

/** A message of JSON-RPC, as far as nothing is known of it. */
export interface Message {
  id?: Id | null;
  method?: unknown;
  params?: unknown;
}

/** An error that the other side gets as a reply. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
} as const;

export interface Handlers {
  /** Answers a request by what it gives to `write`; what it throws is told as an error. */
  request(message: Message & { id: Id; method: string }, signal: AbortSignal): Promise<void>;
  notification?(message: Message & { method: string }): Promise<void>;
}

/**
 * Serves JSON-RPC, one message a line, until the input ends. Requests are worked on side by side;
 * `notifications/cancelled` aborts one, and its reply is then not sent.
 */
export async function serveMessages(
  input: AsyncIterable<Uint8Array>,
  write: (message: object) => void,
  handlers: Handlers,
): Promise<void> {
  const working = new Map<Id, AbortController>();
  const refuse = (id: Id | null, code: number, message: string) =>
    write({ jsonrpc: "2.0", id, error: { code, message } });

  async function answer(message: Message & { id: Id; method: string }): Promise<void> {
    const { id } = message;
    const controller = new AbortController();
    working.set(id, controller);
    try {
      await handlers.request(message, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      const code = error instanceof RpcError ? error.code : CODES.internal;
      refuse(id, code, error instanceof Error ? error.message : String(error));
    } finally {
      if (working.get(id) === controller) working.delete(id);
    }
  }

  for await (const line of createInterface({ input: Readable.from(input), crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    const message = parse(line);
    if (message === undefined) {
      refuse(null, CODES.parse, "This line is not JSON.");
    } else if (!hasMethod(message)) {
      // A reply to something: nothing was asked from here.
      if ("result" in message || "error" in message) continue;
      const id = isId(message.id) ? message.id : null;
      refuse(id, CODES.request, "This is no request of JSON-RPC.");
    } else if (isRequest(message)) {
      void answer(message);
    } else if (message.method === "notifications/cancelled") {
      const { requestId } = Object(message.params) as { requestId?: unknown };
      if (isId(requestId)) working.get(requestId)?.abort();
    } else {
      void handlers.notification?.(message).catch(() => {});
    }
  }
  for (const controller of working.values()) controller.abort();
}

/** Undefined for what is no JSON; what is no object is one that says nothing. */
function parse(line: string): Message | undefined {
  try {
    return Object(JSON.parse(line)) as Message;
  } catch {
    return undefined;
  }
}

function hasMethod(message: Message): message is Message & { method: string } {
  return typeof message.method === "string";
}

function isRequest(
  message: Message & { method: string },
): message is Message & { id: Id; method: string } {
  return isId(message.id);
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}

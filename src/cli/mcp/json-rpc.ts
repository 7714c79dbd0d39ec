import { createInterface } from "node:readline";
import { Readable } from "node:stream";

type Id = string | number;

interface Message {
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
} as const;
const INTERNAL = -32_603;

/** Answers a request by its method; what it throws is told as an error. */
export type Methods = Map<string, (params: Params, signal: AbortSignal) => unknown>;
export type Params = Record<string, unknown>;

/**
 * Serves JSON-RPC, one message a line, until the input ends. Requests are worked on side by side;
 * `notifications/cancelled` aborts one, and its reply is then not sent.
 */
export async function serveJsonRpc(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
  methods: Methods,
): Promise<void> {
  const working = new Map<Id, AbortController>();
  const reply = (id: Id | null, body: object) =>
    write(JSON.stringify({ jsonrpc: "2.0", id, ...body }));

  async function answer(id: Id, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    working.set(id, controller);
    try {
      const work = methods.get(method);
      if (!work) throw new RpcError(CODES.method, `There is no method "${method}" here.`);
      const result = await work(Object(params) as Params, controller.signal);
      if (!controller.signal.aborted) reply(id, { result });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : INTERNAL;
      const message = error instanceof Error ? error.message : String(error);
      if (!controller.signal.aborted) reply(id, { error: { code, message } });
    } finally {
      if (working.get(id) === controller) working.delete(id);
    }
  }

  for await (const line of createInterface({ input: Readable.from(input), crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    const message = parse(line);
    if (message === undefined) {
      reply(null, { error: { code: CODES.parse, message: "This line is not JSON." } });
    } else if (typeof message.method !== "string") {
      // A reply to something: nothing was asked from here.
      if ("result" in message || "error" in message) continue;
      const error = { code: CODES.request, message: "This is no request of JSON-RPC." };
      reply(isId(message.id) ? message.id : null, { error });
    } else if (isId(message.id)) {
      void answer(message.id, message.method, message.params);
    } else if (message.method === "notifications/cancelled") {
      const { requestId } = Object(message.params) as Params;
      if (isId(requestId)) working.get(requestId)?.abort();
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

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}

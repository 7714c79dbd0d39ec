import { CODES, RpcError, serveMessages } from "./messages.ts";

/** Answers a request by its method; what it throws is told as an error. */
export type Methods = Map<string, (params: Params, signal: AbortSignal) => unknown>;
export type Params = Record<string, unknown>;

/** Serves these methods, one message a line, until the input ends. */
export function serveJsonRpc(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
  methods: Methods,
): Promise<void> {
  const send = (message: object) => write(JSON.stringify(message));
  return serveMessages(input, send, {
    async request({ id, method, params }, signal) {
      const work = methods.get(method);
      if (!work) throw new RpcError(CODES.method, `There is no method "${method}" here.`);
      const result = await work(Object(params) as Params, signal);
      if (!signal.aborted) send({ jsonrpc: "2.0", id, result });
    },
  });
}

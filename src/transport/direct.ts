import type { FrameChannel } from "../protocol/index.ts";
import { createFrameClient, type FrameClientOptions } from "./frame-client.ts";
import type { Transport } from "./transport.ts";

export interface DirectTransportOptions extends Pick<FrameClientOptions, "clientId" | "timers"> {
  /** Both as `createBeckon` gives them. */
  fetch: NonNullable<FrameClientOptions["fetch"]>;
  connect: (credential: string) => FrameChannel;
  token: string;
}

/**
 * A transport to a server in the same process: no socket, the same checks.
 *
 * `createDirectTransport({ ...beckon, token: beckon.ownerToken })`
 */
export function createDirectTransport(options: DirectTransportOptions): Transport {
  const { fetch, connect, token, clientId, timers } = options;
  const open = () => connect(token);
  return createFrameClient({ open, fetch, baseUrl: "http://localhost", token, clientId, timers });
}

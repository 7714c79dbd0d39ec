export { createDirectTransport, type DirectTransportOptions } from "./direct.ts";
export type { Fetch } from "./http-exchange.ts";
export { createHttpTransport, type HttpTransportOptions } from "./http.ts";
export { newId, type Timers } from "./timers.ts";
export {
  type Connection,
  type InboxListener,
  type LogListener,
  type PromptRef,
  type Reply,
  type SessionsListener,
  type Transport,
  TransportError,
} from "./transport.ts";
export {
  createWebSocketTransport,
  type WebSocketLike,
  type WebSocketTransportOptions,
} from "./websocket.ts";

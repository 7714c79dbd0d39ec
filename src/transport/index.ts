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

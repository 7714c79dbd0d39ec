/* What the app is made of; the one place that says where it comes from. */
export {
  createInbox,
  createSessionList,
  type InboxState,
  type SessionListState,
  type Store,
  visibleText,
} from "./stand-ins/client.ts";
export {
  InteractionCard,
  LiveRegion,
  TransportProvider,
  useChatSession,
  useTransport,
} from "./stand-ins/react.tsx";
export { createWebSocketTransport } from "./stand-ins/transport.ts";

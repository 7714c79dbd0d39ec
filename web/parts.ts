/* What the app is made of; the one place that says where it comes from. */
export {
  createInbox,
  createSessionList,
  type InboxState,
  promptsOf,
  type SessionListState,
  visibleText,
} from "../src/client/index.ts";
export {
  InteractionCard,
  toInteractionView,
  TransportProvider,
  useChatSession,
  useConnection,
  useTransport,
} from "../src/react/index.ts";
export { createWebSocketTransport } from "../src/transport/index.ts";

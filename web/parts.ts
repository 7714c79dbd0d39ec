/* What the app is made of; the one place that says where it comes from. */
export {
  callEnd,
  createDrafts,
  createInbox,
  createSessionList,
  type Drafts,
  earlierOf,
  type InboxState,
  promptsOf,
  UNREAD_TURN,
  senderName,
  type SessionListState,
  toInputParts,
  toNotification,
  visibleText,
} from "../src/client/index.ts";
export { DiffView } from "../src/react/parts.ts";
export {
  InteractionCard,
  PromptAnnouncer,
  toInteractionView,
  TransportProvider,
  useChatSession,
  useConnection,
  useInteraction,
  useTransport,
} from "../src/react/index.ts";
export { createWebSocketTransport } from "../src/transport/index.ts";

export {
  type CardFacts,
  type CardState,
  cardState,
  createServerClock,
  type ServerClock,
  timeLeft,
} from "./card-state.ts";
export {
  type ChatSession,
  type ChatSessionOptions,
  type ChatSessionState,
  createChatSession,
} from "./chat-session.ts";
export { createDrafts, type Drafts } from "./drafts.ts";
export { createInbox, type Inbox, type InboxState } from "./inbox.ts";
export { promptsOf } from "./prompts-of.ts";
export { emptyView, prepend, reduce, reduceAll, withOpen } from "./reduce.ts";
export { createSessionList, type SessionList, type SessionListState } from "./session-list.ts";
export { inFrame, inMicrotask, type Readable, type Schedule } from "./store.ts";
export { summaryOf } from "./summary.ts";
export type { BlockView, ChatView, InteractionView, ToolCallView, TurnView } from "./view.ts";
export { hidesSomething, visibleText } from "./visible-text.ts";

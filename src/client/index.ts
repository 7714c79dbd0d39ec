export type { Choice } from "./answers.ts";
export { UNREAD as UNREAD_TURN } from "./apply-record.ts";
export type { ApprovalChoice } from "./approval-choices.ts";
export { coveredBy } from "./approval-scope.ts";
export { isConfirmation } from "./approval-title.ts";
export { askerSays } from "./asker-says.ts";
export { type CallEnd, callEnd } from "./call-end.ts";
export { type CardFacts, type CardState, cardState, timeLeft } from "./card-state.ts";
export {
  type ChatSession,
  type ChatSessionOptions,
  type ChatSessionState,
  createChatSession,
} from "./chat-session.ts";
export { type Change, type Diff, type DiffRun, toDiff } from "./diff.ts";
export { createDrafts, type Drafts } from "./drafts.ts";
export { countsOf, FILE_WORDS, type FileDiff, isLarge, toFileDiffs } from "./file-changes.ts";
export { endWords } from "./end-words.ts";
export { isFromOutside } from "./from-outside.ts";
export type { FieldValue, FormValues } from "./form-values.ts";
export { createInbox, type Inbox, type InboxState } from "./inbox.ts";
/** The limits of the protocol, for those who tell of them before the server does. */
export { LIMITS } from "../protocol/limits.ts";
/** A random id, for a message or an answer that may have to be sent twice and shall count once. */
export { newId } from "../transport/index.ts";
export { toNotification } from "./notification.ts";
export { createPromptDrafts, type PromptDrafts } from "./prompt-drafts.ts";
export { promptTitle } from "./prompt-title.ts";
export { earlierOf, promptsOf } from "./prompts-of.ts";
export { emptyView, prepend, reduce, reduceAll, withOpen } from "./reduce.ts";
export { createSessionList, type SessionList, type SessionListState } from "./session-list.ts";
export { inFrame, inMicrotask, type Readable, type Schedule } from "./store.ts";
export { summaryOf } from "./summary.ts";
export { toInteractionView } from "./to-interaction-view.ts";
export {
  firstLine,
  gistOfApproval,
  gistOfInput,
  type InputPart,
  toInputParts,
} from "./tool-input-parts.ts";
export { partsBeside } from "./told-by-changes.ts";
export type { BlockView, ChatView, InteractionView, ToolCallView, TurnView } from "./view.ts";
export { type Todo, toTodos } from "./todos.ts";
export { usageWords } from "./usage-words.ts";
export { afterTimeout } from "./after-timeout.ts";
export { senderName } from "./sender-name.ts";
export { escapeHidden, hidesSomething, visibleText } from "./visible-text.ts";

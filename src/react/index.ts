export {
  type ApprovalChoice,
  type Choice,
  type FieldValue,
  type FormValues,
  toInteractionView,
} from "../client/index.ts";
export type { CardProps } from "./card.tsx";
/** A change of a text or a file, line by line, as the cards show it. */
export { DiffView } from "./on-demand-components.ts";
/** What becomes of files: their list, and a diff of each. */
export { FileChanges } from "./on-demand-components.ts";
export { ToolInput } from "./on-demand-components.ts";
export { InputForm, type InputFormProps } from "./input-form.tsx";
export { InteractionCard, type InteractionCardProps } from "./interaction-card.tsx";
export { type Announce, LiveRegion, useAnnounce } from "./live-region.tsx";
export { PromptAnnouncer } from "./prompt-announcer.tsx";
export { QuestionPrompt, type QuestionPromptProps } from "./question-prompt.tsx";
export { ToolApproval, type ToolApprovalProps } from "./tool-approval.tsx";
export {
  TransportProvider,
  type TransportProviderProps,
  useConnection,
  useTransport,
} from "./transport-context.tsx";
export type { ChatMessage, ToolCallState } from "./to-messages.ts";
export { type ChatSessionModel, useChatSession } from "./use-chat-session.ts";
export { type InteractionState, useInteraction } from "./use-interaction.ts";
export { useInbox, useSessions } from "./use-lists.ts";
export { type ApprovalModel, type ApprovalOptions, useApproval } from "./use-approval.ts";
export type { CardModel } from "./use-card.ts";
export { type InputFormModel, type InputFormOptions, useInputForm } from "./use-input-form.ts";
export {
  type QuestionPromptModel,
  type QuestionPromptOptions,
  useQuestionPrompt,
} from "./use-question-prompt.ts";
export type { LoadedInput } from "./use-tool-input.ts";

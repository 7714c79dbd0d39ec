export {
  type AgentNeed,
  type AgentOffers,
  AgentUnavailable,
  type AgentRegistry,
  type AgentRuntime,
  type HookAsker,
  howToInstall,
  type InputBlock,
  type TextBlock,
  type Told,
  type Turn,
  type TurnEnd,
} from "./turn/agent.ts";
export type {
  Core,
  CorePorts,
  LogSink,
  OutgoingEvent,
  PresenceHandle,
  SentMessage,
  Subscription,
  Watcher,
} from "./api.ts";
export { parseAskingCommand } from "./outside/asking-command.ts";
export type { NativeApproval, NativeCall, NativeUse } from "./turn/native-call.ts";
export * from "./ports.ts";
export {
  type CallEnd,
  defineTool,
  type HookOutcome,
  type InteractionRequestWithHooks,
  type Prompt,
  type PromptInfo,
  type ResponseInfo,
  type ToolContext,
  type ToolDefinition,
  type ToolApproval,
  ToolError,
  type ToolRegistry,
  type UserResponse,
} from "./call/tool.ts";
export { schemaProblems } from "./schema/check-schema.ts";
export { listIssues, schemaIssues } from "./schema/json-schema.ts";
export { createLocalBus } from "./live/bus.ts";
export { checkField } from "./prompt/check-field.ts";
export { createCore } from "./core.ts";
export { Departure } from "./run/departure.ts";
export { payerOf, Quotas, type QuotaTable } from "./live/quotas.ts";
export type { WaitingDefaults } from "./prompt/waiting-defaults.ts";

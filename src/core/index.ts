export type {
  AgentRegistry,
  AgentRuntime,
  CallEnd,
  HookAsker,
  InputBlock,
  TextBlock,
  Told,
  Turn,
  TurnEnd,
} from "./agent.ts";
export { AgentUnavailable } from "./agent-unavailable.ts";
export type {
  Core,
  LogSink,
  OutgoingEvent,
  PresenceHandle,
  SentMessage,
  Subscription,
  Watcher,
  Who,
} from "./api.ts";
export type { NativeApproval, NativeCall } from "./native-calls.ts";
export * from "./ports.ts";
export {
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
} from "./tool.ts";
export { schemaProblems } from "./check-schema.ts";
export { listIssues, schemaIssues } from "./json-schema.ts";
export { createLocalBus } from "./bus.ts";
export { checkField } from "./check-field.ts";
export { createCore } from "./core.ts";
export { payerOf, Quotas, type QuotaTable } from "./quotas.ts";
export type { CorePorts } from "./env.ts";
export type { WaitingDefaults } from "./waiting.ts";

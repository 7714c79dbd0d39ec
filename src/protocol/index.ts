export { AgentChoice, AgentMode, AgentRecord } from "./agents.ts";
export { CallAbout, FileChange } from "./call-about.ts";
export type { FrameChannel } from "./channel.ts";
export {
  AGENT_ERROR_CODES,
  type AgentErrorCode,
  CLOSE_CODES,
  type ErrorBody,
  type ErrorCode,
  HTTP_STATUS,
  ProtocolError,
  TOOL_ERROR_CODES,
  type ToolErrorCode,
} from "./errors.ts";
export {
  CallOrigin,
  type ChatEvent,
  ClosedReason,
  EVENT_PAYLOADS,
  type EventPayload,
  type EventType,
  parseEvent,
  Sender,
  SessionStatus,
  type TransientEvent,
  TurnStatus,
  TurnTrigger,
  Usage,
} from "./events.ts";
export { ClientFrame, FrameRef, HelloFrame, type ServerFrame } from "./frames.ts";
export {
  ApproveBody,
  AskBody,
  CancelBody,
  CreateSessionBody,
  Delivery,
  DenyBody,
  ExchangeBody,
  MessageBody,
  UNNAMED_SESSION,
  PatchSessionBody,
  SubmitAnswersBody,
} from "./http.ts";
export { ClientId, ForeignId, ToolCallId } from "./ids.ts";
export { canonicalJson, jsonBytes, parseJson } from "./json.ts";
export {
  type Caller,
  type ConnectionLimits,
  CONNECTIONS,
  DEFAULTS,
  LIMITS,
  type Limits,
  type Quota,
  QUOTAS,
} from "./limits.ts";
export { type Issue, parseBody, toIssues } from "./parse.ts";
export {
  GrantRecord,
  NodeRecord,
  InteractionRecord,
  InteractionStatus,
  PERMISSION_MODES,
  PermissionMode,
  SessionRecord,
  Waiting,
} from "./records.ts";
export {
  ApprovalOption,
  ApprovalScope,
  Field,
  type FieldErrors,
  FieldOption,
  fieldsOf,
  FieldType,
  InputSchema,
  InteractionRequest,
  InteractionType,
  Presentation,
  PromptRequest,
  Question,
  RequestAsker,
  RequestContext,
  Section,
} from "./request.ts";
export { Action, InteractionResponse, Responder, ResponseBody } from "./response.ts";
export type { StreamEvent } from "./stream-events.ts";
export { createStreamProjection } from "./to-stream-events.ts";
export { PROTOCOL_VERSION } from "./version.ts";

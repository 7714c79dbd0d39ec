/** Error codes that cross the wire, each with the HTTP status it has there. */
export const HTTP_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden_host: 403,
  forbidden_origin: 403,
  person_required: 403,
  session_not_found: 404,
  interaction_not_found: 404,
  no_pending_interaction: 404,
  not_found: 404,
  stale_interaction: 409,
  already_answered: 409,
  interaction_closed: 409,
  interaction_disabled: 409,
  interaction_unavailable: 409,
  message_id_reused: 409,
  request_changed: 409,
  too_large: 413,
  json_required: 415,
  invalid_response: 422,
  too_many: 429,
  internal: 500,
  store_unavailable: 503,
  resync: 409,
} as const;
export type ErrorCode = keyof typeof HTTP_STATUS;

/** Codes with which a tool call can end; an error's own `code` passes through beside them. */
export const TOOL_ERROR_CODES = [
  "interaction_unavailable",
  "interaction_timeout",
  "interaction_cancelled",
  "too_many_reprompts",
  "too_many",
  "tool_denied",
  "tool_cancelled",
  "tool_interrupted",
  "tool_timeout",
  "invalid_arguments",
  "invalid_output",
  "invalid_request",
  "unknown_tool",
  "key_required",
  "grant_refused",
  "tool_error",
] as const;
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** Codes of the `error` event of a turn that failed; an agent may give one of its own. */
export const AGENT_ERROR_CODES = [
  "agent_unavailable",
  "agent_failed",
  "unknown_agent",
  "allowed_elsewhere",
] as const;
export type AgentErrorCode = (typeof AGENT_ERROR_CODES)[number];

export const CLOSE_CODES = {
  credentialEnded: 4001,
  noHello: 4002,
  tooSlow: 4008,
  tooLarge: 4009,
  tooMany: 4029,
  goingAway: 1001,
} as const;

export interface ErrorBody {
  error: string;
  code: ErrorCode;
  [detail: string]: unknown;
}

/**
 * An error that a client is told about. `message` says what happened and what to do;
 * `details` become further keys of the error body.
 */
export class ProtocolError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = "ProtocolError";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return HTTP_STATUS[this.code];
  }

  toBody(): ErrorBody {
    // Every invalid_request names its issues; one that stands for the whole request names no part.
    const whole =
      this.code === "invalid_request" ? { issues: [{ path: "", message: this.message }] } : {};
    return { ...whole, ...this.details, error: this.message, code: this.code };
  }
}

import { z } from "zod";
import { CallAbout } from "./call-about.ts";
import { InteractionRequest, Presentation } from "./request.ts";
import { Action, InteractionResponse } from "./response.ts";

export const SessionStatus = z.enum(["idle", "running", "waiting"]);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const TurnTrigger = z.enum(["user", "late_answer", "resume"]);
export type TurnTrigger = z.infer<typeof TurnTrigger>;

export const TurnStatus = z.enum(["completed", "cancelled", "failed", "interrupted"]);
export type TurnStatus = z.infer<typeof TurnStatus>;

export const CallOrigin = z.enum(["agent", "http", "cli", "mcp"]);
export type CallOrigin = z.infer<typeof CallOrigin>;

export const ClosedReason = z.enum([
  "timed_out",
  "cancelled",
  "failed",
  "superseded",
  "decided_elsewhere",
]);
export type ClosedReason = z.infer<typeof ClosedReason>;

/** Who sent a message: a person, or a program with a machine's token. */
export const Sender = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  kind: z.enum(["person", "machine"]),
});
export type Sender = z.infer<typeof Sender>;

/** What a turn has used: tokens that the model read and wrote, and what its vendor says it costs. */
export const Usage = z.looseObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** In US dollars. */
  cost: z.number().nonnegative().optional(),
});
export type Usage = z.infer<typeof Usage>;

const ToolError = z.looseObject({
  code: z.string(),
  message: z.string(),
  /** With `invalid_arguments`: each field that is wrong. */
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

const ABOUT = {
  ...CallAbout.shape,
  /** In place of `changes` that are too large for the event: how large they are. */
  changesBytes: z.number().optional(),
};

/** The payload of every stored event, by its type. */
export const EVENT_PAYLOADS = {
  turn_start: z.looseObject({ trigger: TurnTrigger, messageId: z.string().optional() }),
  user_message: z.looseObject({
    text: z.string(),
    messageId: z.string(),
    source: z.enum(["user", "late_answer"]),
    interactionId: z.string().optional(),
    /** Missing only in logs of version 0.1.0. */
    sender: Sender.optional(),
  }),
  text: z.looseObject({
    text: z.string(),
    /** Of the `text_delta`s in which it was seen growing. */
    blockId: z.string().optional(),
  }),
  thinking: z.looseObject({ text: z.string() }),
  tool_call: z.looseObject({
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
    origin: CallOrigin,
    ...ABOUT,
    /** The call inside which a sub-agent made it. */
    parentCallId: z.string().optional(),
  }),
  /** The runtime knows more of a call that has not ended; what it does not say stays. */
  tool_call_update: z.looseObject({ toolCallId: z.string(), ...ABOUT }),
  tool_result: z.looseObject({
    toolCallId: z.string(),
    toolName: z.string(),
    ok: z.boolean(),
    result: z.unknown().optional(),
    error: ToolError.optional(),
    /** Why it was let through: `tool`, `interaction:ID`, `grant:ID`, `terminal` or `runtime`. */
    authorizedBy: z.string().optional(),
  }),
  interaction_pending: z.looseObject({
    toolCallId: z.string(),
    toolName: z.string(),
    interactionId: z.string(),
    pending: z.boolean(),
    queued: z.boolean().optional(),
    orphaned: z.boolean().optional(),
    presentation: Presentation.optional(),
  }),
  interaction_request: InteractionRequest,
  interaction_response: InteractionResponse,
  interaction_closed: z.looseObject({
    toolCallId: z.string(),
    interactionId: z.string(),
    reason: ClosedReason,
    /** With `decided_elsewhere`: what was decided there. */
    action: Action.optional(),
    message: z.string().optional(),
  }),
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    /** With `allowed_elsewhere`: the prompt that was denied too late. */
    interactionId: z.string().optional(),
  }),
  turn_end: z.looseObject({
    status: TurnStatus,
    /** Which model answered, where the agent tells. */
    model: z.string().optional(),
    usage: Usage.optional(),
  }),
} as const;

export type EventType = keyof typeof EVENT_PAYLOADS;
export type EventPayload<Type extends EventType> = z.infer<(typeof EVENT_PAYLOADS)[Type]>;

interface Envelope {
  id: string;
  seq: number;
  sessionId: string;
  timestamp: string;
  turnId?: string;
  /** The model's response that this belongs to. A client's answer is called `answerId` in the log. */
  responseId?: string;
}

/** One entry of a session's log. Order is `seq`: 1, 2, 3, … without gap or repeat. */
export type ChatEvent = {
  [Type in EventType]: Envelope & { type: Type; payload: EventPayload<Type> };
}[EventType];

/** Shown as it happens and never stored: has neither `id` nor `seq`. */
export type TransientEvent = { sessionId: string; timestamp: string; turnId?: string } & (
  | { type: "text_delta"; payload: { blockId: string; offset: number; text: string } }
  | {
      type: "tool_call_delta";
      payload: { toolCallId: string; toolName: string; offset: number; text: string };
    }
  | { type: "tool_output_delta"; payload: { toolCallId: string; offset: number; text: string } }
  | { type: "session_status"; payload: { status: SessionStatus; model?: string; usage?: unknown } }
);

const EventEnvelope = z.looseObject({
  id: z.string(),
  seq: z.number().int().positive(),
  sessionId: z.string(),
  timestamp: z.string(),
  type: z.string(),
  turnId: z.string().optional(),
  responseId: z.string().optional(),
  payload: z.unknown(),
});

/** Reads one stored event. Unknown keys survive; an unknown type throws. */
export function parseEvent(value: unknown): ChatEvent {
  const envelope = EventEnvelope.parse(value);
  if (!isEventType(envelope.type)) throw new Error(`Unknown event type "${envelope.type}".`);
  const payload = EVENT_PAYLOADS[envelope.type].parse(envelope.payload);
  return { ...envelope, payload } as ChatEvent;
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_PAYLOADS, type);
}

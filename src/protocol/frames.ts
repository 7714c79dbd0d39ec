import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { ChatEvent, TransientEvent } from "./events.ts";
import { Delivery } from "./http.ts";
import { ClientId, ForeignId } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import type { InteractionRecord, SessionRecord } from "./records.ts";
import type { FieldErrors } from "./request.ts";
import { type InteractionResponse, ResponseBody } from "./response.ts";

export const FrameRef = z.union([z.string().max(LIMITS.referenceCharacters), z.number()]);
export type FrameRef = z.infer<typeof FrameRef>;

const Ref = FrameRef.optional();
const Cursor = z.number().int().nonnegative();

export const HelloFrame = z.looseObject({
  type: z.literal("hello"),
  ref: Ref,
  protocolVersion: z.number(),
  client: z
    .looseObject({
      id: ClientId,
      name: z.string().max(LIMITS.referenceCharacters).optional(),
      version: z.string().max(LIMITS.idCharacters).optional(),
    })
    .optional(),
  interaction: z.looseObject({ supported: z.boolean(), enabled: z.boolean() }).optional(),
  subscriptions: z
    .array(z.looseObject({ sessionId: ForeignId, afterSeq: Cursor.optional() }))
    .max(LIMITS.helloSubscriptions)
    .optional(),
});
export type HelloFrame = z.infer<typeof HelloFrame>;

/** Every frame that a client may send after its hello. */
export const ClientFrame = z.discriminatedUnion("type", [
  HelloFrame,
  z.looseObject({
    type: z.literal("subscribe"),
    ref: Ref,
    sessionId: ForeignId.optional(),
    afterSeq: Cursor.optional(),
    tail: z.number().int().positive().optional(),
    inbox: z.literal(true).optional(),
  }),
  z.looseObject({
    type: z.literal("unsubscribe"),
    ref: Ref,
    sessionId: ForeignId.optional(),
    inbox: z.literal(true).optional(),
  }),
  z.looseObject({
    type: z.literal("user_message"),
    ref: Ref,
    sessionId: ForeignId,
    text: z.string().min(1),
    messageId: ClientId.optional(),
    delivery: Delivery.optional(),
  }),
  z.looseObject({
    type: z.literal("cancel"),
    ref: Ref,
    sessionId: ForeignId,
    turnId: z.string().max(LIMITS.referenceCharacters).optional(),
  }),
  z.looseObject({
    type: z.literal("tool_interaction_response"),
    ref: Ref,
    sessionId: ForeignId,
    callId: ForeignId,
    interactionId: ForeignId,
    ...ResponseBody.shape,
  }),
  z.looseObject({ type: z.literal("set_interaction_mode"), ref: Ref, enabled: z.boolean() }),
  z.looseObject({ type: z.literal("ping"), ref: Ref }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** Every frame that the server sends. */
export type ServerFrame = { ref?: FrameRef } & (
  | {
      type: "welcome";
      protocolVersion: number;
      connectionId: string;
      serverVersion: string;
      /** So that a client whose own clock is wrong knows how much time a prompt has left. */
      serverTime?: string;
    }
  | { type: "subscribed"; session: SessionRecord; lastSeq: number; logId: string }
  | { type: "chat_event"; sessionId: string; event: ChatEvent | TransientEvent }
  | { type: "session_updated"; session: SessionRecord }
  | { type: "session_deleted"; sessionId: string }
  | {
      type: "inbox";
      interactions: InteractionRecord[];
      /** There are more: give it as `cursor` to `GET /api/interactions`. */
      next?: string;
    }
  | { type: "interaction_updated"; interaction: InteractionRecord }
  | { type: "ack"; messageId?: string; stopped?: boolean }
  | {
      type: "interaction_result";
      interactionId: string;
      responseId?: string;
      ok: boolean;
      code?: ErrorCode;
      error?: string;
      fieldErrors?: FieldErrors;
      response?: InteractionResponse;
      [detail: string]: unknown;
    }
  | {
      type: "error";
      code: ErrorCode;
      error: string;
      sessionId?: string;
      interactionId?: string;
      [detail: string]: unknown;
    }
  | { type: "pong" }
);

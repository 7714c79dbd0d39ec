import { z } from "zod";
import { ClientId } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { ApprovalScope } from "./request.ts";

export const Action = z.enum(["approve", "deny", "submit", "cancel"]);
export type Action = z.infer<typeof Action>;

/** What a person did, as any entrance receives it. */
export const ResponseBody = z.looseObject({
  responseId: ClientId.optional(),
  action: Action,
  approvalScope: ApprovalScope.optional(),
  optionId: z.string().max(LIMITS.referenceCharacters).optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  updatedInput: z.unknown().optional(),
  reason: z.string().max(LIMITS.reasonCharacters).optional(),
  stop: z.boolean().optional(),
});
export type ResponseBody = z.infer<typeof ResponseBody>;

export const Responder = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  clientId: z.string().optional(),
});
export type Responder = z.infer<typeof Responder>;

/** The payload of an `interaction_response` event, and an interaction's `response`. */
export const InteractionResponse = z.looseObject({
  toolCallId: z.string(),
  interactionId: z.string(),
  answerId: z.string(),
  action: Action,
  approvalScope: ApprovalScope.optional(),
  optionId: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  secretFields: z.array(z.string()).optional(),
  updatedInput: z.unknown().optional(),
  reason: z.string().optional(),
  stop: z.boolean().optional(),
  /** The grant that answered it: what the responder had allowed for another prompt. */
  grantId: z.string().optional(),
  responder: Responder,
  late: z.boolean().optional(),
});
export type InteractionResponse = z.infer<typeof InteractionResponse>;

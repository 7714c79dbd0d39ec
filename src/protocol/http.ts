import { z } from "zod";
import { ClientId, ForeignId, ToolCallId } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { PermissionMode } from "./records.ts";
import { ApprovalScope, PromptRequest } from "./request.ts";

export const Delivery = z.enum(["queue", "steer", "interrupt"]);
export type Delivery = z.infer<typeof Delivery>;

export const ExchangeBody = z.looseObject({ code: ForeignId });

/** What a session is called until the first words in it give it a name. */
export const UNNAMED_SESSION = "New session";

const Title = z.string().trim().min(1).max(LIMITS.titleCharacters);

const Model = z.string().min(1).max(LIMITS.referenceCharacters);

export const CreateSessionBody = z.looseObject({
  agent: z.string().min(1).max(LIMITS.idCharacters).optional(),
  title: Title.optional(),
  cwd: z.string().min(1).max(LIMITS.cwdCharacters).optional(),
  permissionMode: PermissionMode.optional(),
  model: Model.optional(),
  systemPrompt: z.string().max(LIMITS.promptCharacters).optional(),
});
export type CreateSessionBody = z.infer<typeof CreateSessionBody>;

export const PatchSessionBody = z.looseObject({
  title: Title.optional(),
  permissionMode: PermissionMode.optional(),
  model: Model.optional(),
});
export type PatchSessionBody = z.infer<typeof PatchSessionBody>;

/** Either of the two names does for the words. */
export const MessageBody = z
  .looseObject({
    content: z.string().min(1).optional(),
    text: z.string().min(1).optional(),
    messageId: ClientId.optional(),
    delivery: Delivery.optional(),
  })
  .refine(({ content, text }) => (content ?? text) !== undefined, {
    path: ["content"],
    error: "Give the words of the message as content, or as text.",
  })
  .refine(({ content, text }) => content === undefined || (text ?? content) === content, {
    path: ["text"],
    error: "Give the words of the message once: as content, or as text.",
  });

export const ApproveBody = z.looseObject({
  toolCallId: ToolCallId,
  scope: ApprovalScope.optional(),
  updatedInput: z.unknown().optional(),
  responseId: ClientId.optional(),
});

export const DenyBody = z.looseObject({
  toolCallId: ToolCallId,
  reason: z.string().max(LIMITS.reasonCharacters).optional(),
  stop: z.boolean().optional(),
  responseId: ClientId.optional(),
});

export const SubmitAnswersBody = z.looseObject({
  toolCallId: ToolCallId,
  answers: z.record(z.string(), z.string()),
  responseId: ClientId.optional(),
});

/** Asking from outside: a prompt without a tool of its own. Without a timeout it waits for ever. */
export const AskBody = z.looseObject({
  sessionId: ForeignId.optional(),
  requestId: ClientId.optional(),
  toolName: z.string().min(1).max(LIMITS.idCharacters).optional(),
  toolCallId: ToolCallId.optional(),
  /** What the asker knows of the call that runs it. Only a hint: a call that is gone is no error. */
  caller: z
    .looseObject({ toolCallId: z.string().optional(), command: z.string().optional() })
    .optional(),
  /** What is to be approved, shown whole. */
  toolInput: z.unknown().optional(),
  ...PromptRequest.pick({
    type: true,
    kind: true,
    approvalOptions: true,
    link: true,
    prompt: true,
    changes: true,
    inputSchema: true,
    questions: true,
    approvalScopes: true,
    timeoutMs: true,
    presentation: true,
    completedView: true,
    whenUnavailable: true,
  }).shape,
});

export type AskBody = z.infer<typeof AskBody>;

export const CancelBody = z.looseObject({
  turnId: z.string().max(LIMITS.referenceCharacters).optional(),
});

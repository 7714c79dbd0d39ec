import { z } from "zod";
import { FileChange } from "./call-about.ts";
import { LIMITS } from "./limits.ts";

export const ApprovalScope = z.enum(["once", "session", "always"]);
export type ApprovalScope = z.infer<typeof ApprovalScope>;

export const InteractionType = z.enum(["approval", "input"]);
export type InteractionType = z.infer<typeof InteractionType>;

export const Presentation = z.enum(["tool", "questionnaire"]);
export type Presentation = z.infer<typeof Presentation>;

export const FieldOption = z.looseObject({
  value: z.string(),
  label: z.string(),
  description: z.string().optional(),
});
export type FieldOption = z.infer<typeof FieldOption>;

export const FieldType = z.enum([
  "text",
  "textarea",
  "number",
  "boolean",
  "checkbox",
  "select",
  "multiselect",
  "radio",
  "date",
  "time",
  "datetime",
  "secret",
]);
export type FieldType = z.infer<typeof FieldType>;

/** `min` and `max` are numbers for a number and ISO text for a date, time or datetime. */
const Bound = z.union([z.number(), z.string()]);

export const Field = z.looseObject({
  id: z.string().min(1).max(LIMITS.idCharacters),
  type: FieldType,
  label: z.string(),
  description: z.string().optional(),
  placeholder: z.string().optional(),
  required: z.boolean().optional(),
  defaultValue: z.unknown().optional(),
  options: z.array(FieldOption).max(LIMITS.options).optional(),
  min: Bound.optional(),
  max: Bound.optional(),
  step: z.number().positive().optional(),
  minLength: z.number().int().nonnegative().optional(),
  maxLength: z.number().int().nonnegative().optional(),
  pattern: z.string().max(LIMITS.patternCharacters).optional(),
});
export type Field = z.infer<typeof Field>;

export const Section = z.looseObject({
  id: z.string().min(1).max(LIMITS.idCharacters),
  title: z.string().optional(),
  description: z.string().optional(),
  optional: z.boolean().optional(),
  fields: z.array(Field),
});
export type Section = z.infer<typeof Section>;

export const InputSchema = z.looseObject({
  type: z.literal("form"),
  title: z.string().optional(),
  description: z.string().optional(),
  fields: z.array(Field).optional(),
  sections: z.array(Section).optional(),
  submitLabel: z.string().optional(),
  cancelLabel: z.string().optional(),
  initialValues: z.record(z.string(), z.unknown()).optional(),
});
export type InputSchema = z.infer<typeof InputSchema>;

export const Question = z.looseObject({
  header: z.string().max(LIMITS.headerCharacters),
  question: z.string().min(1),
  options: z
    .array(
      z.looseObject({
        label: z.string().min(1),
        description: z.string().optional(),
        preview: z.string().optional(),
      }),
    )
    .min(LIMITS.questionOptionsMin)
    .max(LIMITS.questionOptionsMax),
  multiSelect: z.boolean().default(false),
});
export type Question = z.infer<typeof Question>;

export const ApprovalOption = z.looseObject({
  id: z.string().min(1).max(LIMITS.referenceCharacters),
  label: z.string(),
  decision: z.enum(["approve", "deny"]),
  scope: ApprovalScope.optional(),
  covers: z.array(z.string()).optional(),
});
export type ApprovalOption = z.infer<typeof ApprovalOption>;

/** What an approval of a wider scope covers beside this call, in words, where it is not the same again. */
const ApprovalCovers = z.looseObject({
  session: z.array(z.string()).max(LIMITS.options).optional(),
  always: z.array(z.string()).max(LIMITS.options).optional(),
});

const CompletedView = z.looseObject({
  showInputs: z.boolean().optional(),
  summaryTemplate: z.string().optional(),
});

/** Facts from the server or the runtime, never the model's words. */
export const RequestContext = z.looseObject({
  cwd: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  reason: z.string().optional(),
  blockedPath: z.string().optional(),
  /** Whose credential asked, where it was no tool of the server. */
  askedBy: z.string().optional(),
});
export type RequestContext = z.infer<typeof RequestContext>;

/** Who asks, as the server knows it: a session's agent, or the holder of the credential that called. */
export const RequestAsker = z.looseObject({
  name: z.string(),
  kind: z.enum(["agent", "person", "machine"]),
});
export type RequestAsker = z.infer<typeof RequestAsker>;

const Link = z.looseObject({
  url: z.string().refine((url) => /^https?:\/\//i.test(url), "must be an http or https address"),
});

const FieldErrors = z.record(z.string(), z.string());
export type FieldErrors = z.infer<typeof FieldErrors>;

/** What a tool gives to `requestInteraction`, without its hooks: the part that is data. */
export const PromptRequest = z.looseObject({
  type: InteractionType,
  kind: z.string().max(LIMITS.idCharacters).optional(),
  key: z.string().min(1).max(LIMITS.referenceCharacters).optional(),
  prompt: z.string().max(LIMITS.promptCharacters).optional(),
  title: z.string().max(LIMITS.promptCharacters).optional(),
  changes: z.array(FileChange).optional(),
  context: RequestContext.optional(),
  approvalScopes: z.array(ApprovalScope).optional(),
  approvalOptions: z.array(ApprovalOption).max(LIMITS.options).optional(),
  approvalCovers: ApprovalCovers.optional(),
  editable: z.boolean().optional(),
  inputSchema: InputSchema.optional(),
  questions: z.array(Question).min(1).max(LIMITS.questions).optional(),
  link: Link.optional(),
  timeoutMs: z
    .number()
    .min(LIMITS.timeoutMinMs, "must be at least 1000 (one second)")
    .max(LIMITS.timeoutMaxMs, "must be at most 365 days")
    .nullable()
    .optional(),
  whenUnavailable: z.enum(["throw", "wait"]).optional(),
  presentation: Presentation.optional(),
  completedView: CompletedView.optional(),
  error: z.string().optional(),
  fieldErrors: FieldErrors.optional(),
});
export type PromptRequest = z.infer<typeof PromptRequest>;

/** The payload of an `interaction_request` event, and an interaction's `request`. */
export const InteractionRequest = z.looseObject({
  toolCallId: z.string(),
  interactionId: z.string(),
  toolName: z.string(),
  /** Missing only in logs of version 0.1.0. */
  asker: RequestAsker.optional(),
  /** A program that the call runs asks in its place: the call is shown beside what is asked. */
  anchored: z.boolean().optional(),
  interactionType: InteractionType,
  presentation: Presentation,
  kind: z.string().optional(),
  prompt: z.string().optional(),
  /** The tool's definition has the words of `prompt`; else whoever asks does. */
  promptBy: z.enum(["tool"]).optional(),
  toolInput: z.unknown().optional(),
  toolInputBytes: z.number().optional(),
  /** What the runtime calls the call. */
  title: z.string().optional(),
  /** What would become of files. */
  changes: z.array(FileChange).optional(),
  /** In place of `changes` that are too large for the event: how large they are. */
  changesBytes: z.number().optional(),
  context: RequestContext.optional(),
  editable: z.boolean().optional(),
  approvalScopes: z.array(ApprovalScope).optional(),
  approvalOptions: z.array(ApprovalOption).optional(),
  approvalCovers: ApprovalCovers.optional(),
  /** Its tool or agent is told of a wider scope and remembers it, or not; else the server keeps a grant. */
  rememberedBy: z.enum(["tool", "agent"]).optional(),
  inputSchema: InputSchema.optional(),
  questions: z.array(Question).optional(),
  link: Link.optional(),
  error: z.string().optional(),
  fieldErrors: FieldErrors.optional(),
  completedView: CompletedView.optional(),
  timeoutMs: z.number().nullable().optional(),
  expiresAt: z.string().optional(),
  /** With a deadline: when it is over, the call fails, or its tool decides how to go on. */
  afterTimeout: z.enum(["fail", "tool"]).optional(),
  attempt: z.number().int().positive(),
});
export type InteractionRequest = z.infer<typeof InteractionRequest>;

/** Every field of a form, whether it stands in a section or not. */
export function fieldsOf(schema: InputSchema): Field[] {
  return [
    ...(schema.fields ?? []),
    ...(schema.sections ?? []).flatMap((section) => section.fields),
  ];
}

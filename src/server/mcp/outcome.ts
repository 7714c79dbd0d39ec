import { z } from "zod";
import type { CallEnd } from "../../core/index.ts";
import { type InteractionRecord, ProtocolError, toIssues } from "../../protocol/index.ts";
import type { AskTool } from "./ask-tools.ts";

/** An answer that is to be marked as heard once it has arrived. */
export interface Answer {
  interactionId: string;
  /** Under which the same question again is known. */
  question: string;
}

/** What a tool has come to: its last word, or that people have not answered yet. */
export type Outcome = { value: unknown; isError?: boolean; answer?: Answer } | { pending: string };

/** What a person's answer is to the program that asked; a no is never told as an answer. */
export function outcomeOfAsk(tool: AskTool, record: InteractionRecord, question?: string): Outcome {
  const { id, status, response } = record;
  if (status === "pending") return { pending: id };
  return {
    value: response ? toValue(tool, record, response) : { status },
    answer: { interactionId: id, question: question ?? id },
  };
}

function toValue(
  tool: AskTool,
  record: InteractionRecord,
  { action, reason }: NonNullable<InteractionRecord["response"]>,
): Record<string, unknown> {
  const why = reason === undefined ? {} : { reason };
  if (action === "cancel") return { status: "cancelled", ...why };
  const isDeclined = action === "deny" && record.request.interactionType === "input";
  if (isDeclined) return { status: "declined", ...why };
  return { status: "answered", ...tool.toAnswer(record), ...why };
}

export function outcomeOfCall(end: CallEnd): Outcome {
  if (end.ok) return { value: end.result ?? null };
  const { message, code, issues } = end.error;
  return { value: { error: message, code, ...(issues && { issues }) }, isError: true };
}

/** What a caller did wrong, told so that a model can do it better. */
export function outcomeOfError(error: unknown): Outcome | undefined {
  if (error instanceof z.ZodError) {
    const issues = toIssues(error);
    return {
      value: { error: "The arguments are not valid.", code: "invalid_arguments", issues },
      isError: true,
    };
  }
  return error instanceof ProtocolError ? { value: error.toBody(), isError: true } : undefined;
}

/** Structured for programs, and as text for models: the same. */
export function toToolResult(value: unknown, isError = false) {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return {
    content: [
      { type: "text" as const, text: typeof value === "string" ? value : JSON.stringify(value) },
    ],
    ...(isObject ? { structuredContent: value as Record<string, unknown> } : {}),
    ...(isError ? { isError } : {}),
  };
}

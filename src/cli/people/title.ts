import type { InteractionRequest } from "../../protocol/index.ts";

/** What a prompt is called, in one line; as it came, so `visible` is still to be done. */
export function titleOf(request: InteractionRequest): string {
  const { interactionType, toolName, prompt, questions, inputSchema } = request;
  if (interactionType === "approval") return `Allow ${toolName}?`;
  if (questions) {
    const [only] = questions;
    return (
      prompt ?? (questions.length === 1 && only ? only.question : `${questions.length} questions`)
    );
  }
  const fields = inputSchema?.fields ?? [];
  const only = fields.length === 1 && !inputSchema?.sections?.length ? fields[0]?.label : undefined;
  return inputSchema?.title ?? prompt ?? only ?? `${toolName} asks`;
}

import { textOf } from "../scripted-model/text-of.ts";

/** A block of a message that the runtime sends. */
interface SentBlock {
  type: string;
  text?: string;
  tool_use_id?: string;
  content?: string | { type: string; text?: string }[];
  is_error?: boolean;
  [key: string]: unknown;
}

interface SentMessage {
  role: string;
  content: string | SentBlock[];
}

/** A request as the model received it. */
export interface ModelRequest {
  model: string;
  messages: SentMessage[];
  tools: { name: string; [key: string]: unknown }[];
  system?: unknown;
  [key: string]: unknown;
}

/** What came back from a tool, as the model reads it. */
export interface ReceivedResult {
  toolUseId: string;
  text: string;
  isError: boolean;
}

/**
 * What has come since the model last spoke: results of tools and words. Runtimes add reminders of
 * their own to both, so compare with `includes`.
 */
export function latest({ messages }: ModelRequest): { results: ReceivedResult[]; text: string } {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  const blocks = since.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
  return {
    results: blocks
      .filter(({ type }) => type === "tool_result")
      .map((block) => ({
        toolUseId: block.tool_use_id ?? "",
        text: textOf(block.content),
        isError: block.is_error === true,
      })),
    text: blocks
      .filter(({ type }) => type === "text")
      .map((block) => block.text ?? "")
      .join("\n"),
  };
}

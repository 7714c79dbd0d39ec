import { textOf } from "../scripted-model/text-of.ts";

/** A piece of the conversation as the runtime sends it. */
interface InputItem {
  type: string;
  role?: string;
  content?: { type: string; text?: string }[];
  call_id?: string;
  output?: string | { type: string; text?: string }[];
  [key: string]: unknown;
}

/** A request as the model received it. */
export interface OpenaiRequest {
  model: string;
  input: InputItem[];
  tools: { type: string; name?: string; [key: string]: unknown }[];
  instructions?: string;
  [key: string]: unknown;
}

const FROM_MODEL = new Set(["function_call", "custom_tool_call", "reasoning"]);

/**
 * What has come since the model last spoke: outputs of tools, by the id of their use, and words.
 * Runtimes add lines of their own to both, so compare with `includes`.
 */
export function latestInput({ input }: OpenaiRequest): {
  results: { toolUseId: string; text: string }[];
  text: string;
} {
  const since = input.slice(input.findLastIndex(isFromModel) + 1);
  return {
    results: since
      .filter(({ call_id: id }) => id !== undefined)
      .map((item) => ({ toolUseId: item.call_id ?? "", text: textOf(item.output) })),
    text: since
      .filter(({ type }) => type === "message")
      .map(({ content }) => textOf(content))
      .join("\n"),
  };
}

function isFromModel({ type, role }: InputItem): boolean {
  return role === "assistant" || FROM_MODEL.has(type);
}

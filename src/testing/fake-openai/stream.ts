import type { ModelBlock } from "../scripted-model/reply.ts";

const USAGE = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };

/** A reply as the events of the Responses API's stream, each ready to be sent. */
export function toStream(blocks: ModelBlock[], number: number): string[] {
  const id = `resp_${number}`;
  return [
    { type: "response.created", response: { id } },
    ...blocks.map((block, index) => ({
      type: "response.output_item.done",
      output_index: index,
      item: toItem(block, `${number}_${index}`),
    })),
    { type: "response.completed", response: { id, usage: USAGE } },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function toItem(block: ModelBlock, place: string): object {
  if (block.type === "text") {
    const content = [{ type: "output_text", text: block.text }];
    return { type: "message", id: `msg_${place}`, role: "assistant", content };
  }
  if (block.type === "thinking") {
    const summary = [{ type: "summary_text", text: block.thinking }];
    return { type: "reasoning", id: `rs_${place}`, summary };
  }
  const { id, name, input } = block;
  if (typeof input === "string") return { type: "custom_tool_call", call_id: id, name, input };
  // A tool of an MCP server is called by two names.
  const [, namespace, tool = name] = /^(mcp__.+?)__(.+)$/.exec(name) ?? [];
  return {
    type: "function_call",
    call_id: id,
    ...(namespace === undefined ? {} : { namespace }),
    name: tool,
    arguments: JSON.stringify(input),
  };
}

import type { ModelBlock } from "../scripted-model/reply.ts";

/** A reply as the events of the Messages API's stream, each ready to be sent. */
export function toStream(blocks: ModelBlock[], model: string, number: number): string[] {
  const usesTools = blocks.some(({ type }) => type === "tool_use");
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  };
  return [
    { type: "message_start", message },
    ...blocks.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: usesTools ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: "message_stop" },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function blockEvents(block: ModelBlock, index: number) {
  return [
    { type: "content_block_start", index, content_block: opened(block) },
    ...deltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function opened(block: ModelBlock): object {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return { ...block, input: {} };
}

/** In two pieces, as a model's words come in several. */
function deltas(block: ModelBlock): object[] {
  if (block.type === "text") {
    return halves(block.text).map((piece) => ({ type: "text_delta", text: piece }));
  }
  if (block.type === "thinking") {
    const pieces = halves(block.thinking).map((piece) => ({
      type: "thinking_delta",
      thinking: piece,
    }));
    return [...pieces, { type: "signature_delta", signature: "signed" }];
  }
  return halves(JSON.stringify(block.input)).map((piece) => ({
    type: "input_json_delta",
    partial_json: piece,
  }));
}

function halves(words: string): string[] {
  const characters = Array.from(words);
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle), characters.slice(middle)].map((part) => part.join(""));
}

/** One piece of what the scripted model says. */
export type ModelBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

/** What the scripted model answers one request with. */
export type ModelReply =
  | { blocks: ModelBlock[] }
  /** An HTTP error, such as 529 `overloaded_error`. The runtime may try again. */
  | { status: number; error: { type: string; message: string } }
  /** Ends the connection after this many bytes of a reply, as a broken line does. */
  | { blocks: ModelBlock[]; breakAfter: number };

/** The model says this. */
function text(words: string): ModelBlock {
  return { type: "text", text: words };
}

/** The model thinks this. */
export function thinking(words: string): ModelBlock {
  return { type: "thinking", thinking: words };
}

/**
 * The model wants to use a tool; the id is the test's to choose and comes back everywhere. OpenAI's
 * models also have tools whose input is a text, such as `apply_patch`.
 */
export function toolUse(id: string, name: string, input: unknown): ModelBlock {
  return { type: "tool_use", id, name, input };
}

/** The model says or does these, in this order; several uses of tools are parallel ones. */
export function says(...blocks: (ModelBlock | string)[]): ModelReply {
  return { blocks: blocks.map((block) => (typeof block === "string" ? text(block) : block)) };
}

/** The service has too much to do. */
export function overloaded(): ModelReply {
  return { status: 529, error: { type: "overloaded_error", message: "Overloaded" } };
}

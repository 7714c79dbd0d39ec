import type { Told } from "../../core/index.ts";
import type { ContentBlock, SdkMessage } from "./sdk.ts";
import { idKey, keysOf, Known, textKey } from "../cli/native-history.ts";
import { isOurPrompt } from "./prompt-id.ts";

/** An entry of Claude Code's record, as far as it is known here. */
interface Entry {
  type?: string;
  uuid?: string;
  /** Of a sub-agent. */
  isSidechain?: boolean;
  /** Written by Claude Code itself, for the model. */
  isMeta?: boolean;
  isCompactSummary?: boolean;
  message?: { model?: string; content?: string | ContentBlock[] };
}

/** Finds in a record what the log does not tell. */
export class Untold {
  readonly #known: Known;

  constructor(told: Told) {
    this.#known = new Known(keysOf(told));
  }

  /** What is new in an entry, as the message that would have told it. */
  of(given: Record<string, unknown>): SdkMessage {
    const { type, uuid, message = {}, ...entry } = given as Entry;
    const { content = [], model } = message;
    const blocks: ContentBlock[] =
      typeof content === "string" ? [{ type: "text", text: content }] : content;
    const common = { session_id: "", parent_tool_use_id: null };
    if (entry.isSidechain || entry.isMeta || entry.isCompactSummary || model === "<synthetic>") {
      return { ...common, type: "other" };
    }
    if (type === "assistant") {
      const fresh = blocks.filter((block) => this.#isNew(block));
      return { ...common, type, message: { content: fresh } };
    }
    if (type !== "user") return { ...common, type: "other" };
    const typed = isOurPrompt(uuid) ? [] : blocks.flatMap(typedInTerminal);
    return typed.length > 0
      ? {
          ...common,
          type: "assistant",
          message: { content: typed.filter((one) => this.#isNew(one)) },
        }
      : { ...common, type, message: { content: blocks } };
  }

  #isNew(block: ContentBlock): boolean {
    if (block.type === "tool_use") return !this.#known.take([idKey(block.id)]);
    if (block.type !== "text" && block.type !== "thinking") return false;
    return !this.#known.take([textKey(block.type === "text" ? block.text : block.thinking)]);
  }
}

/** Claude Code puts notes of its own among what people say. */
const NOTE = /^(<|\[Request interrupted|Caveat:)/;

/** Only the agent speaks in a turn, so it quotes what it was told elsewhere. */
function typedInTerminal(block: ContentBlock): ContentBlock[] {
  if (block.type !== "text" || NOTE.test(block.text)) return [];
  const quoted = block.text.replaceAll(/^/gm, "> ");
  return [{ type: "text", text: `Said to Claude Code outside of Beckon:\n\n${quoted}` }];
}

import { open } from "node:fs/promises";
import { canonicalJson } from "../../protocol/index.ts";
import type { ContentBlock } from "./sdk.ts";
import { textOf } from "./tool-result.ts";

/** What somebody decided in the terminal of Claude Code, and what came of it. */
export type TerminalEnd =
  | { ok: true; result: string }
  | { ok: false; error: { code: "tool_denied" | "tool_error"; message: string } };

/** A hook of a permission does not say which use of a tool it is about: only its tool and input. */
interface Use {
  toolName: string;
  input: unknown;
  /** Its id, where that is known all the same. */
  id?: string | undefined;
}

/** How much of the end of a transcript is looked through for the use: it is in the last message. */
const TAIL_BYTES = 16 * 1024 * 1024;

/**
 * Reads along in the transcript of a Claude Code that asks in its terminal. It writes each message of
 * its model there before it asks, and the result of a use as soon as there is one.
 */
export class TerminalTranscript {
  readonly #path: string;
  readonly #wanted: string;
  #at: number | undefined;
  /** The message that is looked at, and its uses of the tool with this input and without a result. */
  #messageId: string | undefined;
  #waiting: string[] = [];
  #useId: string | undefined;
  #end: TerminalEnd | undefined;

  constructor(path: string, { toolName, input, id }: Use) {
    this.#path = path;
    this.#useId = id;
    this.#wanted = canonicalJson({ toolName, input });
  }

  /** The id of the use, once it was found. */
  get useId(): string | undefined {
    return this.#useId;
  }

  /** How it ended in the terminal; nothing while nobody has decided, or what was allowed still runs. */
  get end(): TerminalEnd | undefined {
    return this.#end;
  }

  /** Reads what is new. A transcript that cannot be read has nothing to tell. */
  async look(): Promise<void> {
    const text = await this.#readOn().catch(() => "");
    for (const line of text.split("\n")) this.#take(line);
    this.#useId ??= this.#waiting[0];
  }

  async #readOn(): Promise<string> {
    const file = await open(this.#path, "r");
    try {
      const { size } = await file.stat();
      const start = this.#at ?? Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(Math.max(0, size - start)),
        position: start,
      });
      // A line that is still being written is read again.
      const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
      this.#at = start + end;
      return buffer.toString("utf8", 0, end);
    } finally {
      await file.close();
    }
  }

  #take(line: string): void {
    // Most entries are long, and about something else.
    if (!line.includes('"tool_use') && !line.includes('"tool_result')) return;
    const { type, isSidechain, message } = parseEntry(line);
    if (isSidechain || !Array.isArray(message?.content)) return;
    if (type === "assistant") this.#takeUses(message.id, message.content);
    if (type === "user") for (const block of message.content) this.#takeResult(block);
  }

  #takeUses(messageId: string | undefined, blocks: ContentBlock[]): void {
    if (messageId !== this.#messageId) this.#waiting = [];
    this.#messageId = messageId;
    for (const block of blocks) {
      if (block.type !== "tool_use") continue;
      const is = canonicalJson({ toolName: block.name, input: block.input });
      if (is === this.#wanted) this.#waiting.push(block.id);
    }
  }

  #takeResult(block: ContentBlock): void {
    if (block.type !== "tool_result") return;
    this.#waiting = this.#waiting.filter((id) => id !== block.tool_use_id);
    if (block.tool_use_id === this.#useId) this.#end ??= resultOf(block);
  }
}

interface Entry {
  type?: string;
  isSidechain?: boolean;
  message?: { id?: string; content?: string | ContentBlock[] };
}

function parseEntry(line: string): Entry {
  try {
    return Object(JSON.parse(line)) as Entry;
  } catch {
    return {};
  }
}

/** How Claude Code words to its model that a person said no in its terminal. */
const REJECTED = /^The user doesn't want to proceed with this tool use\b/;
const WITH_REASON = /the user said:\s*([^]+)$/;

/** How a use of a tool ended, as a transcript has it. */
export function resultOf(block: Extract<ContentBlock, { type: "tool_result" }>): TerminalEnd {
  const text = textOf(block.content);
  if (!block.is_error) return { ok: true, result: text };
  if (!REJECTED.test(text)) return { ok: false, error: { code: "tool_error", message: text } };
  const [, reason] = WITH_REASON.exec(text) ?? [];
  const message = reason?.trim() || "It was denied in the terminal.";
  return { ok: false, error: { code: "tool_denied", message } };
}

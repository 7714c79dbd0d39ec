import type { CallEnd, InputBlock, NativeCall, TextBlock, Turn } from "../../core/index.ts";
import { PermissionMode } from "../../protocol/index.ts";
import type { Refusals } from "./refusal.ts";
import type { DeferredUse } from "./state.ts";
import type { ContentBlock, SdkMessage, StreamPiece } from "./sdk.ts";
import { changesDone, textOf, toEnd } from "./tool-result.ts";
import { usedSince } from "./usage.ts";

/** How one turn came to its end, as far as the SDK tells. */
export interface Outcome {
  failed?: string;
}

type SystemMessage = Extract<SdkMessage, { type: "system" }>;
type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

/** How Claude Code words it that a sub-agent works in the background. */
const LAUNCHED = /^Async agent launched successfully\b/;

type Changed = (settings: { permissionMode?: PermissionMode; model?: string }) => Promise<void>;

/** Writes what the SDK tells of one turn into the session's log, in the order it is told. */
export class Transcript {
  readonly #turn: Turn;
  /** The block of text that is growing, by its place in the model's message. */
  readonly #growing = new Map<number, TextBlock>();
  /** The inputs of calls that the model writes in its message, by their places in that. */
  readonly #inputs = new Map<number, InputBlock>();
  readonly #refusals: Refusals;
  readonly #changed: Changed;
  readonly #calls = new Map<string, NativeCall>();
  /** The calls of sub-agents that work in the background, with what was said when they began. */
  readonly #launched = new Map<string, ToolResult>();
  #model: string | undefined;
  /** What its process says that it has cost so far. */
  #cost = 0;
  /** The uses of tools in the message that the model is at, and who waits for its end. */
  #uses: string[] = [];
  #isSpeaking = false;
  #spoken: ((uses: string[]) => void)[] = [];
  /** The call at which it has ended, to go on when that is allowed. */
  deferred: DeferredUse | undefined;
  outcome: Outcome = {};

  /** @param changed called when Claude Code has changed how it runs */
  constructor(turn: Turn, refusals: Refusals, changed: Changed = async () => {}) {
    this.#turn = turn;
    this.#refusals = refusals;
    this.#changed = changed;
  }

  async take(message: SdkMessage): Promise<void> {
    switch (message.type) {
      case "system":
        return this.#takeSystem(message);
      case "stream_event":
        // What sub-agents say to their caller is in the caller's result.
        if (!message.parent_tool_use_id) await this.#grow(message.event);
        return;
      case "assistant":
        for (const block of message.message.content) await this.#takeBlock(block, message);
        return this.#hearCommand(message);
      case "user":
        if (typeof message.message.content === "string") return;
        for (const block of message.message.content) {
          await this.#takeResult(block, message.tool_use_result);
        }
        return;
      case "result":
        this.#turn.status({
          ...(this.#model === undefined ? {} : { model: this.#model }),
          usage: { ...(message.usage as object), costUsd: message.total_cost_usd },
        });
        await this.#keepUsage(message);
        this.deferred = message.deferred_tool_use;
        this.outcome = message.is_error ? { failed: failureOf(message) } : {};
        return;
      default:
    }
  }

  /** Knows a call from before its process died. */
  recall(nativeId: string, call: NativeCall): void {
    this.#calls.set(nativeId, call);
  }

  /** Ends the calls that have got no result, for they will get none. */
  async endOpen(end: CallEnd): Promise<void> {
    for (const call of this.#calls.values()) if (!call.ended) await call.end(end);
  }

  /** The uses of tools in the model's message, once it has said all of it. */
  usesTogether(): Promise<string[]> {
    if (!this.#isSpeaking) return Promise.resolve(this.#uses);
    return new Promise((resolve) => this.#spoken.push(resolve));
  }

  async #takeSystem(message: SystemMessage): Promise<void> {
    const { subtype, model, permissionMode, compact_result, compact_metadata } = message;
    if (subtype === "init") this.#tell(model);
    if (subtype === "task_notification") await this.#endLaunched(message);
    const mode = PermissionMode.safeParse(permissionMode);
    if (subtype === "status" && mode.success) await this.#changed({ permissionMode: mode.data });
    if (subtype === "compact_boundary") await this.#turn.text(compacted(compact_metadata));
    if (compact_result !== undefined && compact_result !== "success") {
      await this.#turn.text(
        `The conversation could not be compacted. ${message.compact_error ?? ""}`.trim(),
      );
    }
  }

  /** A sub-agent in the background has ended: only now is its call over. */
  async #endLaunched({ tool_use_id: id = "", status, summary = "" }: SystemMessage): Promise<void> {
    if (!this.#launched.delete(id)) return;
    const end: CallEnd =
      status === "completed"
        ? { ok: true, result: summary }
        : {
            ok: false,
            error: { code: "tool_error", message: summary || `It ended as ${status}.` },
          };
    await this.#calls.get(id)?.end(end);
  }

  /** Ends the calls whose sub-agents were started, and of which nothing more was heard. */
  async endLaunched(): Promise<void> {
    for (const [id, block] of this.#launched) {
      await this.#calls.get(id)?.end(toEnd(block, undefined));
    }
    this.#launched.clear();
  }

  /** Claude Code answers its own commands in the model's place. */
  async #hearCommand({ message }: Extract<SdkMessage, { type: "assistant" }>): Promise<void> {
    const [, model] = /^\/model (\S+)\s*$/.exec(this.#turn.message.words) ?? [];
    if (model === undefined || message.model !== "<synthetic>") return;
    const isSet = message.content.some(
      (block) => block.type === "text" && block.text.startsWith("Set model to "),
    );
    if (isSet) await this.#changed({ model });
  }

  #tell(model: string | undefined): void {
    this.#model = model;
    if (model !== undefined) this.#turn.status({ model });
  }

  async #grow(piece: StreamPiece): Promise<void> {
    if (piece.type === "message_start") {
      this.#uses = [];
      this.#inputs.clear();
      this.#isSpeaking = true;
    }
    if (piece.type === "content_block_start" && piece.content_block.type === "tool_use") {
      const { id: nativeId = "", name: toolName = "" } = piece.content_block;
      this.#uses.push(nativeId);
      this.#inputs.set(piece.index, await this.#turn.startInput({ nativeId, toolName }));
    }
    if (piece.type === "message_stop") {
      this.#isSpeaking = false;
      for (const tell of this.#spoken.splice(0)) tell(this.#uses);
    }
    if (piece.type === "content_block_start" && piece.content_block.type === "text") {
      this.#growing.set(piece.index, this.#turn.startText());
    }
    if (piece.type === "content_block_delta" && piece.delta.type === "text_delta") {
      this.#growing.get(piece.index)?.write(piece.delta.text ?? "");
    }
    if (piece.type === "content_block_delta" && piece.delta.type === "input_json_delta") {
      this.#inputs.get(piece.index)?.write(piece.delta.partial_json ?? "");
    }
  }

  async #takeBlock(block: ContentBlock, message: SdkMessage): Promise<void> {
    const parent = message.parent_tool_use_id ?? undefined;
    if (block.type === "tool_use") {
      const parentCallId = parent === undefined ? undefined : this.#calls.get(parent)?.toolCallId;
      const use = { nativeId: block.id, toolName: block.name, input: block.input };
      const call = await this.#turn.startCall({
        ...use,
        ...(parentCallId === undefined ? {} : { parentCallId }),
      });
      this.#calls.set(block.id, call);
    }
    if (parent !== undefined) return;
    if (block.type === "thinking" && block.thinking !== "")
      await this.#turn.thinking(block.thinking);
    if (block.type === "text") await this.#finishText(block.text);
  }

  /** The finished message says it all; what was seen growing was it. */
  async #finishText(text: string): Promise<void> {
    const [first] = this.#growing;
    if (!first) return text === "" ? undefined : this.#turn.text(text);
    const [index, block] = first;
    this.#growing.delete(index);
    await block.end();
  }

  async #takeResult(block: ContentBlock, told: unknown): Promise<void> {
    if (block.type !== "tool_result") return;
    if (!block.is_error && LAUNCHED.test(textOf(block.content))) {
      this.#launched.set(block.tool_use_id, block);
      return;
    }
    const refusal = this.#refusals.get(block.tool_use_id);
    const call = this.#calls.get(block.tool_use_id);
    const changes = block.is_error ? undefined : changesDone(told);
    if (changes) await call?.update({ changes });
    await call?.end(toEnd(block, refusal));
  }

  async #keepUsage(message: Extract<SdkMessage, { type: "result" }>): Promise<void> {
    const used = usedSince(message, this.#cost);
    this.#cost = message.total_cost_usd ?? this.#cost;
    const model = this.#model === undefined ? {} : { model: this.#model };
    if (used) await this.#turn.usage({ ...used, ...model });
  }
}

function compacted({
  pre_tokens,
  post_tokens,
}: { pre_tokens?: number; post_tokens?: number } = {}) {
  const sizes =
    pre_tokens === undefined
      ? ""
      : ` It had ${pre_tokens} tokens${post_tokens === undefined ? "" : `, and has ${post_tokens}`}.`;
  return `The conversation was compacted.${sizes}`;
}

function failureOf(message: Extract<SdkMessage, { type: "result" }>): string {
  const said = message.errors?.join("\n") || message.result;
  return said || `Claude ended with ${message.terminal_reason ?? message.subtype}.`;
}

import type { NativeCall, Turn } from "../../core/index.ts";
import { keyOf, keysOf, missing, textKey } from "../cli/native-history.ts";
import { clipped, endOfEntry, endOfItem } from "./call-end.ts";
import type { CodexEvent, CodexItem } from "./events.ts";
import type { CodexSettings } from "./options.ts";
import { changesOfItem, changesOfPatch } from "./patch-changes.ts";
import { Rollout } from "./rollout.ts";
import { PATCH, type RolloutEntry, SHELL, type ToolUse, useKey } from "./rollout-entry.ts";
import { type CodexState, readState, withTold } from "./state.ts";
import { unwrapShell } from "./unwrap-shell.ts";

const READ_BACK = "_What Codex did without this session, from its own history:_";

/**
 * Writes what Codex says and does into the session's log, in the order it is told: by the process
 * while it runs, and by Codex's own history where no process of ours told it.
 */
export class Transcript {
  readonly #turn: Turn;
  readonly #home: string;
  readonly #model: string | undefined;
  #state: CodexState;
  #rollout: Rollout | undefined;
  /** Keys of what is in the log since the place from which the history is read. */
  readonly #told: string[] = [];
  /** The calls that run, by the id of their item. */
  readonly #running = new Map<string, { call: NativeCall; key: string }>();
  /** The plan as it was told last, as JSON, and how often one was. */
  #plan: string | undefined;
  #plans = 0;
  /** Why the turn failed, in Codex's own words. */
  failed: string | undefined;
  /** The last that it complained of, which it may have got over. */
  complaint: string | undefined;

  constructor(turn: Turn, { home, model }: Pick<CodexSettings, "home" | "model">) {
    this.#turn = turn;
    this.#home = home;
    this.#model = turn.model ?? model;
    this.#state = readState(turn.state);
    this.#openRollout();
  }

  get threadId(): string | undefined {
    return this.#state.threadId;
  }

  /** Adds what the history holds and the log lacks: from a terminal, or from before the server died. */
  async readBack(): Promise<void> {
    const { after, told } = this.#state;
    this.#told.push(...told, ...keysOf(await this.#turn.told(after)));
    await this.#rollout?.read();
    const untold = this.#untold(Infinity);
    if (untold.length > 0) await this.#turn.text(READ_BACK);
    for (const entry of untold) await this.#tell(entry);
    await this.#keepTold(keyOf("user", this.#turn.message.text));
  }

  async take(event: CodexEvent): Promise<void> {
    const { type, item } = event;
    if (type === "thread.started" && event.thread_id !== undefined) {
      await this.#takeThread(event.thread_id);
    } else if (type === "item.started" && item) await this.#takeStart(item);
    else if (type === "item.completed" && item) await this.#takeEnd(item);
    else if (type === "item.updated" && item) await this.#takePlan(item);
    else if (type === "turn.completed") await this.#takeUsage(event.usage);
    else if (type === "turn.failed") this.failed = event.error?.message ?? "It gave no reason.";
    else if (type === "error") this.complaint = event.message;
  }

  /** Adds the calls of this turn that Codex told nobody of: what its sandbox refused. */
  async finish(): Promise<void> {
    await this.#rollout?.read();
    await this.#tellCallsBefore(Infinity);
    if (!this.#rollout?.isRead) return;
    const { position: readTo } = this.#rollout;
    await this.#keep({ ...this.#state, readTo, after: this.#turn.turnId, told: [] });
  }

  async #takeThread(threadId: string): Promise<void> {
    const before = this.#state.threadId;
    if (threadId === before) return;
    await this.#keep({ ...this.#state, threadId, readTo: 0 });
    this.#openRollout();
    if (before === undefined) return;
    // A conversation that goes on under another name begins with a copy of what the log has.
    await this.#rollout?.read();
    this.#rollout?.settle();
    await this.#keep({ ...this.#state, readTo: this.#rollout?.position ?? 0 });
  }

  #openRollout(): void {
    const { threadId, readTo } = this.#state;
    if (threadId !== undefined) this.#rollout = new Rollout(this.#home, threadId, readTo);
  }

  async #takeStart(item: CodexItem): Promise<void> {
    if (item.type === PLAN) return this.#takePlan(item);
    const use = toUse(item);
    if (!use) return;
    const entry = await this.#entryOf(use);
    if (entry) await this.#tellCallsBefore(entry.at);
    const input = use.toolName === PATCH && entry?.use ? entry.use.input : use.input;
    const changes = changesOf({ toolName: use.toolName, input }) ?? changesOfItem(item.changes);
    const call = await this.#turn.startCall({
      nativeId: entry?.callId ?? `${this.#turn.turnId}-${item.id}`,
      isMadeUp: entry?.callId === undefined,
      ...use,
      input,
      ...(changes ? { changes } : {}),
    });
    this.#running.set(item.id, { call, key: useKey(use) });
    if (entry) this.#told.push(...entry.keys.slice(0, 1));
    else await this.#keepTold(useKey(use));
  }

  async #takeEnd(item: CodexItem): Promise<void> {
    const { type, text = "", message = "" } = item;
    if (type === "reasoning") return this.#turn.thinking(text);
    if (type === "error") return this.#turn.text(`Codex says: ${clipped(message)}`);
    if (type === "agent_message") return this.#takeText(text);
    if (type === PLAN) return this.#takePlan(item);
    if (!this.#running.has(item.id)) await this.#takeStart(item);
    const running = this.#running.get(item.id);
    this.#running.delete(item.id);
    await running?.call.end(endOfItem(item));
  }

  /** Codex tells of its plan anew whenever that changes; each time is a call of its own. */
  async #takePlan(item: CodexItem): Promise<void> {
    if (item.type !== PLAN || JSON.stringify(item.items) === this.#plan) return;
    this.#plan = JSON.stringify(item.items);
    const nativeId = `${this.#turn.turnId}-${item.id}-${++this.#plans}`;
    const input = { items: item.items };
    const call = await this.#turn.startCall({ nativeId, toolName: PLAN, input });
    await call.end({ ok: true, result: null });
  }

  /** Codex tells what the whole conversation has used. */
  async #takeUsage(usage: CodexEvent["usage"]): Promise<void> {
    this.#turn.status({ usage });
    if (!usage) return;
    const { input_tokens: input = 0, output_tokens: output = 0 } = usage;
    const { used, after } = this.#state;
    const before = used ?? (after === undefined ? { input: 0, output: 0 } : undefined);
    await this.#keep({ ...this.#state, used: { input, output } });
    // What turns had used of which nobody kept count is not this one's.
    if (!before) return;
    await this.#turn.usage({
      input: Math.max(0, input - before.input),
      output: Math.max(0, output - before.output),
      ...(this.#model === undefined ? {} : { model: this.#model }),
    });
  }

  async #takeText(text: string): Promise<void> {
    const key = textKey(text);
    await this.#rollout?.read();
    const entry = this.#rollout?.entries.findLast(({ keys }) => keys.includes(key));
    if (entry) await this.#tellCallsBefore(entry.at);
    await this.#turn.text(text);
    this.#told.push(key);
  }

  /**
   * The use in Codex's history, which knows the model's own id for it: the one that its commands
   * find in their environment. Where two are alike nobody can tell which is which.
   */
  async #entryOf(use: ToolUse): Promise<RolloutEntry | undefined> {
    const key = useKey(use);
    if ([...this.#running.values()].some((one) => one.key === key)) return undefined;
    await this.#rollout?.read();
    const alike = (this.#rollout?.entries ?? []).filter(
      ({ keys: [id = "", ...rest] }) => rest.includes(key) && !this.#told.includes(id),
    );
    return alike.length === 1 ? alike[0] : undefined;
  }

  async #tellCallsBefore(at: number): Promise<void> {
    for (const entry of this.#untold(at)) if (entry.kind === "call") await this.#tell(entry);
  }

  #untold(before: number): RolloutEntry[] {
    const done = this.#rollout?.entries.filter(({ doneAt }) => doneAt !== undefined) ?? [];
    return missing(done, this.#told).filter(({ doneAt = before }) => doneAt < before);
  }

  async #tell(entry: RolloutEntry): Promise<void> {
    const { kind, text, callId = "", use, keys } = entry;
    if (kind === "text") await this.#turn.text(text);
    else if (kind === "user") await this.#turn.text(text.trim().replaceAll(/^/gm, "> "));
    else if (use) {
      const changes = changesOf(use);
      const about = changes ? { changes } : {};
      const call = await this.#turn.startCall({ nativeId: callId, ...use, ...about });
      await call.end(endOfEntry(entry));
    }
    const [key = ""] = keys;
    if (kind === "user") await this.#keepTold(key);
    else this.#told.push(key);
  }

  /** What the log does not tell in a way that could be compared. */
  async #keepTold(key: string): Promise<void> {
    this.#told.push(key);
    await this.#keep(withTold(this.#state, key));
  }

  async #keep(state: CodexState): Promise<void> {
    this.#state = state;
    await this.#turn.keepState(state);
  }
}

/** What becomes of files, where the patch is known. */
function changesOf({ toolName, input }: ToolUse) {
  const { patch } = input;
  return toolName === PATCH && typeof patch === "string" ? changesOfPatch(patch) : undefined;
}

const PLAN = "todo_list";
const SAID = new Set(["reasoning", "error", "agent_message"]);

/** How people see a use of a tool; nothing where it is something said. */
function toUse(item: CodexItem): ToolUse | undefined {
  const { id: _id, type, status: _status, command, changes, server, tool, ...rest } = item;
  if (SAID.has(type)) return undefined;
  if (type === "command_execution") {
    return { toolName: SHELL, input: { command: unwrapShell(command ?? "") } };
  }
  if (type === "file_change") {
    const [first, ...others] = changes ?? [];
    const path = others.length === 0 && first ? { path: first.path } : {};
    return { toolName: PATCH, input: { ...path, changes } };
  }
  if (type === "mcp_tool_call") {
    const { arguments: given } = rest;
    const input = typeof given === "object" && given !== null ? { ...given } : { given };
    return { toolName: `mcp__${server}__${tool}`, input };
  }
  return { toolName: type, input: rest };
}

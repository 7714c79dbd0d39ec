import type { ChatEvent, InteractionRecord } from "../protocol/index.ts";
import { Copied } from "./copied.ts";
import { type LogEntry, type Memory, memoryOf, remember } from "./memory.ts";
import type { Stream } from "./stream.ts";
import type { BlockView, ChatView, InteractionView, ToolCallView, TurnView } from "./view.ts";

/**
 * A view in the making. It is changed in place while events are applied, and what it was made from
 * never is: each part is copied when it is first touched, and the rest is shared.
 */
export class Draft {
  readonly calls: Copied<string, ToolCallView>;
  readonly interactions: Copied<string, InteractionView>;
  readonly streams: Copied<string, Stream & { turnId: string; at: string }>;
  readonly outputs: Copied<string, Stream>;
  readonly pending: Copied<string, string>;
  readonly working: Copied<string, true>;
  readonly silent: Copied<string, true>;
  readonly records: Copied<string, InteractionRecord>;
  readonly #view: ChatView;
  readonly #memory: Memory;
  readonly #ownTurns = new Set<TurnView>();
  #turns: TurnView[];
  #log: LogEntry | undefined;
  #count: number;
  #firstSeq: number;
  #lastSeq: number;

  constructor(view: ChatView) {
    const memory = memoryOf(view);
    this.#view = view;
    this.#memory = memory;
    this.#turns = view.turns;
    this.#log = memory.log;
    this.#count = memory.count;
    this.#firstSeq = view.firstSeq;
    this.#lastSeq = view.lastSeq;
    this.calls = new Copied(view.calls);
    this.interactions = new Copied(view.interactions);
    this.streams = new Copied(memory.streams);
    this.outputs = new Copied(memory.outputs);
    this.pending = new Copied(memory.pending);
    this.working = new Copied(memory.working);
    this.silent = new Copied(memory.silent);
    this.records = new Copied(memory.records);
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get turns(): readonly TurnView[] {
    return this.#turns;
  }

  /** Notes an event that comes after all others. */
  log(event: ChatEvent): void {
    this.#log = { event, before: this.#log };
    this.#count++;
    if (this.#firstSeq === 0) this.#firstSeq = event.seq;
    this.#lastSeq = event.seq;
  }

  /** A turn that may be changed, and its blocks with it. */
  turnAt(index: number): TurnView {
    const turn = this.#turns[index] as TurnView;
    if (this.#ownTurns.has(turn)) return turn;
    const own = { ...turn, blocks: [...turn.blocks] };
    this.#ownTurns.add(own);
    this.#writeTurns()[index] = own;
    return own;
  }

  insertTurn(index: number, turn: TurnView): void {
    this.#ownTurns.add(turn);
    this.#writeTurns().splice(index, 0, turn);
  }

  removeTurn(index: number): void {
    this.#writeTurns().splice(index, 1);
  }

  /** Puts `blocks` where one block is; nothing removes it, and with it a turn that becomes empty. */
  replaceBlock(at: { turn: number; block: number }, ...blocks: BlockView[]): void {
    const turn = this.turnAt(at.turn);
    turn.blocks.splice(at.block, 1, ...blocks);
    if (turn.blocks.length === 0 && turn.kind === "outside") this.removeTurn(at.turn);
  }

  finish(): ChatView {
    const memory: Memory = {
      log: this.#log,
      count: this.#count,
      streams: this.streams.result(),
      outputs: this.outputs.result(),
      pending: this.pending.result(),
      working: this.working.result(),
      silent: this.silent.result(),
      records: this.records.result(),
    };
    const status =
      memory.pending.size > 0 ? "waiting" : memory.working.size > 0 ? "running" : "idle";
    const view: ChatView = {
      sessionId: this.#view.sessionId,
      lastSeq: this.#lastSeq,
      firstSeq: this.#firstSeq,
      turns: this.#turns,
      calls: this.calls.result(),
      interactions: this.interactions.result(),
      pending:
        memory.pending === this.#memory.pending ? this.#view.pending : this.#inOrderOfAsking(),
      status,
      typing: status === "running",
    };
    return isSame(view, this.#view) && isSame(memory, this.#memory)
      ? this.#view
      : remember(view, memory);
  }

  /** As the log has it; but what only the server's list told of may be older than all of that. */
  #inOrderOfAsking(): string[] {
    const ids = [...this.pending.result().keys()];
    if (this.records.size === 0) return ids;
    const askedAt = (id: string) => this.interactions.get(id)?.askedAt ?? "~";
    return ids.sort((a, b) => askedAt(a).localeCompare(askedAt(b)));
  }

  #writeTurns(): TurnView[] {
    if (this.#turns === this.#view.turns) this.#turns = [...this.#turns];
    return this.#turns;
  }
}

function isSame<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((key) => a[key] === b[key]);
}

import type { EventPayload, TransientEvent, Usage } from "../../protocol/index.ts";
import type { AgentRuntime, InputBlock, TextBlock, Turn, TurnEnd } from "./agent.ts";
import {
  type BegunCall,
  callDigest,
  executeCall,
  newCall,
  type NewCall,
  type CallPorts,
} from "../call/calls.ts";
import { INTERRUPTED, storedEnd } from "../run/end.ts";
import { noteWrite, toFailure, valueOf } from "../call/journal.ts";
import type { LiveRun } from "../run/live-run.ts";
import { endTurn, endWith } from "./end-turn.ts";
import { touchSession } from "./messages.ts";
import type { NativeCall, NativeUse } from "./native-call.ts";
import { findNativeCall, isGoodId, startNativeCall, type NativeCallPorts } from "./native-calls.ts";
import { toldOwnCall } from "./told-own-call.ts";
import { OwnCalls } from "./own-calls.ts";
import type { JournalRow, MachineAccess, SessionRow, TurnState, Write } from "../ports.ts";
import { type CallEnd, ToolError } from "../call/tool.ts";
import { never } from "../run/never.ts";
import type { CorePorts } from "../api.ts";
import type { LogPorts } from "../live/read-log.ts";

export interface TurnPorts
  extends CallPorts, NativeCallPorts, LogPorts, Pick<CorePorts, "access" | "asking"> {}

/** A turn that runs in this process. It is kept for as long as its agent waits for people. */
export class HeldTurn {
  readonly ports: TurnPorts;
  readonly run: LiveRun;
  readonly #cwd: string | null;
  /** What it did in an earlier life of its run. */
  readonly #journal: Map<string, JournalRow> | undefined;
  #natives: Map<string, Promise<NativeCall>> | undefined;
  /** Calls of our tools that the agent's runtime makes. */
  #own: OwnCalls<BegunCall> | undefined;
  #access: Promise<MachineAccess> | undefined;
  #blocks = 0;
  #calls = 0;

  constructor(
    ports: TurnPorts,
    run: LiveRun,
    session: SessionRow,
    before: JournalRow[],
    reenter: AgentRuntime["capabilities"]["reenter"],
  ) {
    this.ports = ports;
    this.run = run;
    this.#cwd = session.cwd;
    // No runtime makes calls in a turn that is run again from its top.
    if (reenter !== "replay") run.onOwnCall = (use) => this.#ownCalls().make(use);
    if (before.length > 0) this.#journal = new Map(before.map((entry) => [entry.key, entry]));
    // Who goes on where it left off says nothing twice: what comes is new.
    const said = before.filter(({ key }) => key.startsWith("block|")).length;
    if (reenter === "native") this.#blocks = said;
  }

  get sessionId(): string {
    return this.run.row.sessionId;
  }

  get #envelope() {
    const { id, state } = this.run.row;
    return { turnId: id, responseId: (state as TurnState).responseId };
  }

  #remember(key: string, value: unknown): Write {
    return noteWrite([this.run.row.id, key], { value });
  }

  say(type: "text" | "thinking", text: string): Promise<void> {
    return this.#emit(`block|${++this.#blocks}`, type, { text });
  }

  async #emit(key: string, type: "text" | "thinking", payload: EventPayload<"text">) {
    if (this.#journal?.has(key)) return;
    const { run, sessionId } = this;
    if (run.lost) return never();
    const build = () => ({
      sessionId,
      writes: [this.#remember(key, null)],
      events: [{ ...this.#envelope, type, payload }],
    });
    if (run.mayRunAhead) await run.defer(build);
    else await run.commit(build);
  }

  /** Lets people see something that is not stored. */
  #show(
    what: Pick<
      Extract<TransientEvent, { type: "text_delta" | "tool_call_delta" | "session_status" }>,
      "type" | "payload"
    >,
  ): void {
    const { ports, run, sessionId } = this;
    if (run.lost) return;
    const timestamp = new Date(ports.clock.now()).toISOString();
    const event = { sessionId, timestamp, turnId: run.row.id, ...what } as TransientEvent;
    ports.bus.publish({ type: "transient", sessionId, event });
  }

  startText(): TextBlock {
    const key = `block|${++this.#blocks}`;
    const blockId = `${this.run.row.id}-${this.#blocks}`;
    let text = "";
    return {
      write: (piece) => {
        const payload = { blockId, offset: text.length, text: piece };
        text += piece;
        if (!this.#journal?.has(key)) this.#show({ type: "text_delta", payload });
      },
      end: () => this.#emit(key, "text", { text, blockId }),
    };
  }

  call(toolName: string, input: unknown): Promise<CallEnd> {
    const key = `call|${++this.#calls}`;
    const known = this.#journal?.get(key);
    const begun = known
      ? this.#findCall(String(valueOf(known)), toolName, input)
      : this.#storeCall(key, toolName, input);
    return executeCall(this.ports, this.run, begun);
  }

  #ownCalls(): OwnCalls<BegunCall> {
    const { ports, run } = this;
    this.#own ??= new OwnCalls(ports, {
      begin: (use) => this.#storeOwnCall(use),
      execute: (begun) => executeCall(ports, run, begun),
    });
    return this.#own;
  }

  /** No journal names it: the runtime's turn is not run again from its top. */
  async #storeOwnCall({
    nativeId,
    toolName,
    input,
  }: Partial<NativeUse> & Pick<NativeUse, "toolName" | "input">): Promise<BegunCall> {
    const { ports, sessionId } = this;
    const isGood = nativeId !== undefined && (await isGoodId(ports, sessionId, nativeId));
    return this.#storeCallAs(isGood ? nativeId : ports.ids.next(), toolName, input);
  }

  #storeCall(key: string, tool: string, input: unknown): Promise<BegunCall> {
    const id = this.ports.ids.next();
    return this.#storeCallAs(id, tool, input, this.#remember(key, id));
  }

  async #storeCallAs(
    id: string,
    tool: string,
    input: unknown,
    ...more: Write[]
  ): Promise<BegunCall> {
    const { run, sessionId } = this;
    const created = this.#tryNewCall({
      id,
      tool,
      input,
      origin: "agent",
      callerId: null,
      ...this.#envelope,
    });
    if ("end" in created) return created;
    run.expectCall();
    const build = run.adding(() => ({
      sessionId,
      writes: [created.write, ...more, ...run.waking()],
      events: [created.event],
    }));
    if (run.mayRunAhead && created.row.durable === "replay") await run.defer(build);
    else await run.commit(build);
    return { row: created.row, how: "first" };
  }

  /** An input that no log could hold is the call's failure, not the agent's. */
  #tryNewCall(call: NewCall): ReturnType<typeof newCall> | { end: CallEnd } {
    try {
      return newCall(this.ports, this.run.row, call);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { end: { ok: false, error: toFailure(error) } };
    }
  }

  /** Another call than it made before must not get that one's result, nor its approval. */
  async #findCall(id: string, tool: string, input: unknown): Promise<BegunCall> {
    const { ports, run } = this;
    const stored = await ports.store.call(this.sessionId, id);
    if (stored?.inputDigest !== callDigest(ports, tool, input)) {
      await endWith(ports, run, INTERRUPTED);
      return never();
    }
    if (stored.status === "ended") return { end: storedEnd(stored) };
    return { row: stored, how: "again" };
  }

  startCall(use: NativeUse): Promise<NativeCall> {
    if (use.isOurs) return toldOwnCall(this.ports, this.run, this.#ownCalls().told(use));
    this.#natives ??= new Map();
    const started = this.#findOrStart(use, this.#natives.get(use.nativeId));
    this.#natives.set(use.nativeId, started);
    return started;
  }

  /** A native id is good for one call at a time: models use it again for another. */
  async #findOrStart(use: NativeUse, known: Promise<NativeCall> | undefined): Promise<NativeCall> {
    const { ports, run } = this;
    const session = { id: this.sessionId, cwd: this.#cwd };
    const turn = { ports, run, session, envelope: this.#envelope };
    const call = await (known ?? findNativeCall(turn, use.nativeId));
    if (call && !(known && call.ended)) return call;
    return startNativeCall(turn, use);
  }

  /** Shown only if the call will have its native id: of another one people would never see the end. */
  async startInput({ nativeId, toolName }: Parameters<Turn["startInput"]>[0]) {
    const isSure =
      !this.#natives?.has(nativeId) && (await isGoodId(this.ports, this.sessionId, nativeId));
    let offset = 0;
    const block: InputBlock = {
      write: (text) => {
        if (!isSure || text === "") return;
        this.#show({
          type: "tool_call_delta",
          payload: { toolCallId: nativeId, toolName, offset, text },
        });
        offset += text.length;
      },
    };
    return block;
  }

  async keepState(runtimeState: unknown): Promise<void> {
    const { run, sessionId } = this;
    await run.commit(() => ({
      sessionId,
      writes: [touchSession(run.session, { runtimeState })],
      events: [],
    }));
  }

  async keepSettings(changed: Partial<SessionRow["settings"]>): Promise<void> {
    const { ports, run, sessionId } = this;
    await run.commit(async () => {
      const now = await ports.store.session(sessionId);
      if (!now) throw new Error(`Session ${sessionId} is gone.`);
      const settings = { ...now.settings, ...changed };
      return { sessionId, writes: [touchSession(now, { settings })], events: [] };
    });
  }

  status(known: { model?: string; usage?: unknown }): void {
    this.#show({ type: "session_status", payload: { status: "running", ...known } });
  }

  async addUsage({ model, ...used }: Parameters<Turn["usage"]>[0]): Promise<void> {
    const { run, sessionId } = this;
    await run.commit(() => {
      const before = run.row.state as TurnState;
      const usage = sumOfUsage(before.usage, used);
      const state = { ...before, usage, ...(model === undefined ? {} : { model }) };
      const write = { table: "runs", id: run.row.id, ifVersion: run.row.version } as const;
      return { sessionId, writes: [{ ...write, set: { state } }], events: [] };
    });
  }

  /** What the turn's processes ask with, from when the first one needs it. */
  async environment(base: Parameters<Turn["environment"]>[0]) {
    if (!this.#access) {
      this.#access = this.ports.access?.({ sessionId: this.sessionId });
      // Also of an agent that does not come to an end though its run has.
      this.run.gone.hear(() => void this.releaseAccess());
    }
    return (await this.#access)?.environment(base) ?? { ...base };
  }

  async releaseAccess(): Promise<void> {
    await this.#access?.then((access) => access.release());
  }

  /** The agent has come to an end, or failed. */
  end(how: () => TurnEnd): void {
    this.#end(how).catch((error: unknown) => this.run.fail(error));
  }

  async #end(how: () => TurnEnd): Promise<void> {
    const end = how();
    await this.releaseAccess();
    this.run.onMessage = undefined;
    await endTurn(this.ports, this.run, end);
  }
}

function sumOfUsage(before: Usage | undefined, used: Usage): Usage {
  const { input, output, cost } = before ?? { input: 0, output: 0 };
  const sum = cost === undefined ? used.cost : cost + (used.cost ?? 0);
  return {
    input: input + used.input,
    output: output + used.output,
    ...(sum === undefined ? {} : { cost: sum }),
  };
}

import type { AgentErrorCode, EventPayload, TransientEvent, Usage } from "../../protocol/index.ts";
import {
  AgentUnavailable,
  type AgentRuntime,
  type InputBlock,
  type TextBlock,
  type Turn,
  type TurnEnd,
} from "./agent.ts";
import {
  type BegunCall,
  callDigest,
  executeCall,
  newCall,
  type NewCall,
  type CallPorts,
} from "../call/calls.ts";
import { CANCELLED, endRunChange, INTERRUPTED, type RunEnd, storedEnd } from "../run/end.ts";
import { noteWrite, toFailure, valueOf } from "../call/journal.ts";
import { IsThere } from "../run/committing-run.ts";
import type { LiveRun } from "../run/live-run.ts";
import { queuesTurn, touchSession, toAgentMessage } from "./messages.ts";
import type { NativeCall, NativeUse } from "./native-call.ts";
import { findNativeCall, isGoodId, startNativeCall, type NativeCallPorts } from "./native-calls.ts";
import {
  type JournalRow,
  type MachineAccess,
  type SessionRow,
  StoreUnavailable,
  type TurnState,
  type Write,
} from "../ports.ts";
import { toldSince } from "./history.ts";
import { type CallEnd, ToolError } from "../call/tool.ts";
import { never } from "../run/never.ts";
import { onDemand } from "../on-demand.ts";
import type { CorePorts } from "../api.ts";
import type { LogPorts } from "../live/read-log.ts";
import type { Change } from "../writer.ts";

export interface TurnPorts
  extends CallPorts, NativeCallPorts, LogPorts, Pick<CorePorts, "access" | "asking"> {}

/** Lets an agent run one turn, and ends the turn with it. */
export async function runTurn(
  ports: TurnPorts,
  run: LiveRun,
  session: SessionRow,
  agent: AgentRuntime,
  how: "first" | "again",
): Promise<void> {
  const journal = how === "again" ? await ports.store.journal(run.row.id) : [];
  if (how === "again") await expectRunning(ports, run);
  const { reenter } = agent.capabilities;
  const held = new HeldTurn(ports, run, session, journal, reenter);
  run.mayRunAhead = reenter === "replay";
  run.hearSettings(session.settings);
  // Not awaited: it may wait for people for weeks, and whoever has entered the run not with it.
  startAgent(agent, createTurn(held, session)).then(
    (end) => held.end(() => end),
    (error: unknown) => held.end(() => failureOf(error)),
  );
}

/** Calls that the agent will come to again: until it has, the run has more to do than to wait. */
async function expectRunning(ports: TurnPorts, run: LiveRun): Promise<void> {
  for (const { status } of await ports.store.calls(run.row.id)) {
    if (status === "running") run.expectCall();
  }
}

/** An agent that is done leaves nothing behind; one that died leaves its prompts to be answered. */
export function endTurn(ports: TurnPorts, run: LiveRun, end: TurnEnd): Promise<void> {
  return endWith(
    ports,
    run,
    end.status === "failed" ? { ...INTERRUPTED, ...end } : { ...CANCELLED, ...end },
  );
}

async function endWith(ports: TurnPorts, run: LiveRun, end: RunEnd): Promise<void> {
  const { sessionId } = run.row;
  let isLast = true;
  const build = async ({ writes }: Change): Promise<Change> => {
    const ending = { before: writes, calls: run.openCalls };
    const change = await endRunChange(ports, run.row, run.session, end, ending);
    isLast &&= ![...writes, ...change.writes].some(queuesTurn);
    return isLast ? { ...change, absent: [{ of: "queuedTurns", sessionId }] } : change;
  };
  try {
    await run.commit(build);
  } catch (error) {
    if (!(error instanceof IsThere)) throw error;
    isLast = false;
    await run.commit(build);
  }
  ports.live.delete(run.row.id);
  if (run.calls.size > 0) {
    run.cancel(new ToolError("tool_cancelled", "The turn ended before this call did."));
  }
  if (!isLast) await ports.startNextTurn(sessionId);
}

function startAgent(agent: AgentRuntime, turn: Turn): Promise<TurnEnd> {
  try {
    return Promise.resolve(agent.run(turn));
  } catch (error) {
    return Promise.reject(error);
  }
}

function failureOf(error: unknown): TurnEnd {
  if (error instanceof StoreUnavailable) throw error;
  const code: AgentErrorCode =
    error instanceof AgentUnavailable ? "agent_unavailable" : "agent_failed";
  return { status: "failed", error: { ...toFailure(error), code } };
}

/** The turn as its agent gets it: facts, and what it can do, which is made when it is asked for. */
function createTurn(held: HeldTurn, session: SessionRow): Turn {
  const { row } = held.run;
  const { cwd, settings } = session;
  return withAbilities(
    {
      sessionId: session.id,
      turnId: row.id,
      trigger: row.trigger ?? "user",
      message: toAgentMessage(row.state as TurnState),
      ...(cwd === null ? {} : { cwd }),
      permissionMode: settings.permissionMode,
      ...(settings.model === undefined ? {} : { model: settings.model }),
      ...(settings.systemPrompt === undefined ? {} : { systemPrompt: settings.systemPrompt }),
      state: structuredClone(session.runtimeState),
    },
    held,
  );
}

type Ability =
  | "signal"
  | "tools"
  | "askingLine"
  | "text"
  | "thinking"
  | "startText"
  | "startInput"
  | "call"
  | "startCall"
  | "keepState"
  | "told"
  | "onMessage"
  | "onSettings"
  | "keepSettings"
  | "environment"
  | "status"
  | "usage";

const withAbilities = onDemand<HeldTurn, Pick<Turn, Ability>>({
  signal: ({ run }) => run.signal,
  tools: ({ ports }) => ports.tools.list(),
  askingLine:
    ({ ports, sessionId }) =>
    (command, at) =>
      ports.asking?.lineFor(command, { sessionId, ...at }),
  text: (held) => (text) => held.say("text", text),
  thinking: (held) => (text) => held.say("thinking", text),
  startText: (held) => () => held.startText(),
  startInput: (held) => (use) => held.startInput(use),
  call: (held) => (toolName, input) => held.call(toolName, input),
  startCall: (held) => (use) => held.startCall(use),
  keepState: (held) => (state) => held.keepState(state),
  told:
    ({ ports, sessionId }) =>
    (after) =>
      toldSince(ports, sessionId, after),
  onMessage:
    ({ run }) =>
    (take) =>
      (run.onMessage = take),
  onSettings:
    ({ run }) =>
    (apply) =>
      (run.onSettings = apply),
  keepSettings: (held) => (settings) => held.keepSettings(settings),
  environment: (held) => (base) => held.environment(base),
  status: (held) => (known) => held.status(known),
  usage: (held) => (used) => held.addUsage(used),
});

/** A turn that runs in this process. It is kept for as long as its agent waits for people. */
class HeldTurn {
  readonly ports: TurnPorts;
  readonly run: LiveRun;
  readonly #cwd: string | null;
  /** What it did in an earlier life of its run. */
  readonly #journal: Map<string, JournalRow> | undefined;
  #natives: Map<string, Promise<NativeCall>> | undefined;
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

  async #storeCall(key: string, tool: string, input: unknown): Promise<BegunCall> {
    const { ports, run, sessionId } = this;
    const id = ports.ids.next();
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
      writes: [created.write, this.#remember(key, id), ...run.waking()],
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

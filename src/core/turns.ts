import type { AgentErrorCode, EventPayload, TransientEvent } from "../protocol/index.ts";
import type { AgentRuntime, CallEnd, InputBlock, TextBlock, Turn, TurnEnd } from "./agent.ts";
import { toAgentMessage } from "./agent-message.ts";
import { AgentUnavailable } from "./agent-unavailable.ts";
import { callDigest, executeCall, newCall, type NewCall } from "./calls.ts";
import { CANCELLED, endRunChange, INTERRUPTED, type RunEnd } from "./end-run.ts";
import { storedEnd } from "./ending.ts";
import type { Env } from "./env.ts";
import { toFailure, valueOf } from "./journal.ts";
import { type LiveRun, never } from "./live-run.ts";
import { touchSession } from "./messages.ts";
import {
  findNativeCall,
  isGoodId,
  type NativeCall,
  type NativeUse,
  startNativeCall,
} from "./native-calls.ts";
import {
  type JournalRow,
  type MachineAccess,
  type SessionRow,
  StoreUnavailable,
  type TurnState,
  type Write,
} from "./ports.ts";
import { toldSince } from "./told.ts";
import { ToolError } from "./tool.ts";

/** Runs one turn of an agent to its end. */
export async function runTurn(
  env: Env,
  run: LiveRun,
  session: SessionRow,
  agent: AgentRuntime,
  how: "first" | "again",
): Promise<void> {
  const journal = how === "again" ? await env.store.journal(run.row.id) : [];
  if (how === "again") await expectRunning(env, run);
  const access = lendOnce(env, session.id);
  const turn = {
    ...createTurn(env, run, session, journal, agent.capabilities.reenter),
    environment: (base: Parameters<Turn["environment"]>[0]) => access.environment(base),
  };
  run.mayRunAhead = agent.capabilities.reenter === "replay";
  // Also of an agent that does not come to an end though its run has.
  run.abort.signal.addEventListener("abort", () => void access.release(), { once: true });
  const end = await runAgent(agent, turn);
  await access.release();
  run.onMessage = undefined;
  await endTurn(env, run, end);
}

/** What the turn's processes ask with, from when the first one needs it. */
function lendOnce(env: Env, sessionId: string) {
  let lent: Promise<MachineAccess> | undefined;
  return {
    async environment(base: Parameters<Turn["environment"]>[0]) {
      lent ??= env.access?.({ sessionId });
      return (await lent)?.environment(base) ?? { ...base };
    },
    async release() {
      await lent?.then((access) => access.release());
    },
  };
}

/** Calls that the agent will come to again: until it has, the run has more to do than to wait. */
async function expectRunning(env: Env, run: LiveRun): Promise<void> {
  for (const { status } of await env.store.calls(run.row.id)) {
    if (status === "running") run.expectCall();
  }
}

/** An agent that is done leaves nothing behind; one that died leaves its prompts to be answered. */
export function endTurn(env: Env, run: LiveRun, end: TurnEnd): Promise<void> {
  return endWith(
    env,
    run,
    end.status === "failed" ? { ...INTERRUPTED, ...end } : { ...CANCELLED, ...end },
  );
}

async function endWith(env: Env, run: LiveRun, end: RunEnd): Promise<void> {
  await run.commit(async () => {
    const session = await env.store.session(run.row.sessionId);
    if (!session) throw new Error(`Session ${run.row.sessionId} is gone.`);
    return endRunChange(env, run.row, session, end);
  });
  env.live.delete(run.row.id);
  if (run.calls.size > 0) {
    run.cancel(new ToolError("tool_cancelled", "The turn ended before this call did."));
  }
  await env.startNextTurn(run.row.sessionId);
}

async function runAgent(agent: AgentRuntime, turn: Turn): Promise<TurnEnd> {
  try {
    return await agent.run(turn);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const code: AgentErrorCode =
      error instanceof AgentUnavailable ? "agent_unavailable" : "agent_failed";
    return { status: "failed", error: { ...toFailure(error), code } };
  }
}

function createTurn(
  env: Env,
  run: LiveRun,
  session: SessionRow,
  before: JournalRow[],
  reenter: AgentRuntime["capabilities"]["reenter"],
): Omit<Turn, "environment"> {
  const { row } = run;
  const state = row.state as TurnState;
  const journal = new Map(before.map((entry) => [entry.key, entry]));
  const envelope = { turnId: row.id, responseId: state.responseId };
  const sessionId = session.id;
  // Who goes on where it left off says nothing twice: what comes is new.
  const said = before.filter(({ key }) => key.startsWith("block|")).length;
  let blocks = reenter === "native" ? said : 0;
  let calls = 0;

  const remember = (key: string, value: unknown): Write => ({
    table: "journal",
    id: [row.id, key],
    ifVersion: 0,
    set: { kind: "value", state: "done", digest: null, value: { value }, epoch: run.row.epoch },
  });

  async function emit(key: string, type: "text" | "thinking", payload: EventPayload<"text">) {
    if (journal.has(key)) return;
    const ahead = run.mayRunAhead;
    await run.commit(
      () => ({
        sessionId,
        writes: [remember(key, null)],
        events: [{ ...envelope, type, payload }],
      }),
      { ahead },
    );
  }

  /** Lets people see something that is not stored. */
  function show(
    what: Pick<
      Extract<TransientEvent, { type: "text_delta" | "tool_call_delta" | "session_status" }>,
      "type" | "payload"
    >,
  ): void {
    if (run.lost) return;
    const timestamp = new Date(env.clock.now()).toISOString();
    const event = { sessionId, timestamp, turnId: row.id, ...what } as TransientEvent;
    env.bus.publish({ type: "transient", sessionId, event });
  }

  function startText(): TextBlock {
    const key = `block|${++blocks}`;
    const blockId = `${row.id}-${blocks}`;
    let text = "";
    return {
      write(piece) {
        const payload = { blockId, offset: text.length, text: piece };
        text += piece;
        if (!journal.has(key)) show({ type: "text_delta", payload });
      },
      end: () => emit(key, "text", { text, blockId }),
    };
  }

  async function call(toolName: string, input: unknown): Promise<CallEnd> {
    const key = `call|${++calls}`;
    const known = journal.get(key);
    const end = known
      ? await callAgain(String(valueOf(known)), toolName, input)
      : await callFirst(key, toolName, input);
    return run.lost ? never() : end;
  }

  async function callFirst(key: string, tool: string, input: unknown): Promise<CallEnd> {
    const id = env.ids.next();
    const created = tryNewCall({ id, tool, input, origin: "agent", callerId: null, ...envelope });
    if ("refused" in created) return created.refused;
    run.expectCall();
    const ahead = run.mayRunAhead && created.row.durable === "replay";
    await run.add(
      () => ({
        sessionId,
        writes: [created.write, remember(key, id), ...run.waking()],
        events: [created.event],
      }),
      { ahead },
    );
    return executeCall(env, run, created.row, "first");
  }

  /** An input that no log could hold is the call's failure, not the agent's. */
  function tryNewCall(call: NewCall): ReturnType<typeof newCall> | { refused: CallEnd } {
    try {
      return newCall(env, row, call);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { refused: { ok: false, error: toFailure(error) } };
    }
  }

  /** Another call than it made before must not get that one's result, nor its approval. */
  async function callAgain(id: string, tool: string, input: unknown): Promise<CallEnd> {
    const stored = await env.store.call(sessionId, id);
    if (stored?.inputDigest !== callDigest(env, tool, input)) {
      await endWith(env, run, INTERRUPTED);
      return never();
    }
    if (stored.status === "ended") return storedEnd(stored);
    return executeCall(env, run, stored, "again");
  }

  const natives = new Map<string, Promise<NativeCall>>();
  function startCall(use: NativeUse): Promise<NativeCall> {
    const started = findOrStart(use, natives.get(use.nativeId));
    natives.set(use.nativeId, started);
    return started;
  }

  /** A native id is good for one call at a time: models use it again for another. */
  async function findOrStart(
    use: NativeUse,
    known: Promise<NativeCall> | undefined,
  ): Promise<NativeCall> {
    const place = { env, run, session, envelope };
    const call = await (known ?? findNativeCall(place, use.nativeId));
    if (call && !(known && call.ended)) return call;
    return startNativeCall(place, use);
  }

  /** Shown only if the call will have its native id: of another one people would never see the end. */
  async function startInput({ nativeId, toolName }: Parameters<Turn["startInput"]>[0]) {
    const isSure = !natives.has(nativeId) && (await isGoodId(env, sessionId, nativeId));
    let offset = 0;
    const block: InputBlock = {
      write(text) {
        if (!isSure || text === "") return;
        show({
          type: "tool_call_delta",
          payload: { toolCallId: nativeId, toolName, offset, text },
        });
        offset += text.length;
      },
    };
    return block;
  }

  async function keepState(runtimeState: unknown): Promise<void> {
    await run.commit(async () => {
      const now = await env.store.session(sessionId);
      if (!now) throw new Error(`Session ${sessionId} is gone.`);
      return { sessionId, writes: [touchSession(now, { runtimeState })], events: [] };
    });
  }

  function status(known: { model?: string; usage?: unknown }): void {
    show({ type: "session_status", payload: { status: "running", ...known } });
  }

  return {
    sessionId,
    turnId: row.id,
    trigger: row.trigger ?? "user",
    message: toAgentMessage(state),
    ...(session.cwd === null ? {} : { cwd: session.cwd }),
    permissionMode: session.settings.permissionMode,
    ...(session.settings.model === undefined ? {} : { model: session.settings.model }),
    ...(session.settings.systemPrompt === undefined
      ? {}
      : { systemPrompt: session.settings.systemPrompt }),
    signal: run.abort.signal,
    tools: env.tools.list(),
    text: (text) => emit(`block|${++blocks}`, "text", { text }),
    thinking: (text) => emit(`block|${++blocks}`, "thinking", { text }),
    startText,
    startInput,
    call,
    startCall,
    state: session.runtimeState,
    keepState,
    told: (after) => toldSince(env, sessionId, after),
    onMessage: (take) => (run.onMessage = take),
    onSettings: (apply) => (run.onSettings = apply),
    status,
  };
}

import type { EventPayload } from "../protocol/index.ts";
import type { AgentRuntime, CallEnd, TextBlock, Turn, TurnEnd } from "./agent.ts";
import { callDigest, executeCall, newCall, type NewCall } from "./calls.ts";
import { CANCELLED, endRunChange, INTERRUPTED, type RunEnd } from "./end-run.ts";
import { storedEnd } from "./ending.ts";
import type { Env } from "./env.ts";
import { toFailure, valueOf } from "./journal.ts";
import { type LiveRun, never } from "./live-run.ts";
import {
  type JournalRow,
  type SessionRow,
  StoreUnavailable,
  type TurnState,
  type Write,
} from "./ports.ts";
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
  const end = await runAgent(agent, createTurn(env, run, session, journal));
  await endTurn(env, run, end);
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
    return { status: "failed", error: { ...toFailure(error), code: "agent_failed" } };
  }
}

function createTurn(env: Env, run: LiveRun, session: SessionRow, before: JournalRow[]): Turn {
  const { row } = run;
  const state = row.state as TurnState;
  const journal = new Map(before.map((entry) => [entry.key, entry]));
  const envelope = { turnId: row.id, responseId: state.responseId };
  const sessionId = session.id;
  let blocks = 0;
  let calls = 0;

  const remember = (key: string, value: unknown): Write => ({
    table: "journal",
    id: [row.id, key],
    ifVersion: 0,
    set: { kind: "value", state: "done", digest: null, value: { value }, epoch: run.row.epoch },
  });

  async function emit(key: string, type: "text" | "thinking", payload: EventPayload<"text">) {
    if (journal.has(key)) return;
    await run.commit(() => ({
      sessionId,
      writes: [remember(key, null)],
      events: [{ ...envelope, type, payload }],
    }));
  }

  function startText(): TextBlock {
    const key = `block|${++blocks}`;
    const blockId = `${row.id}-${blocks}`;
    let text = "";
    return {
      write(piece) {
        const payload = { blockId, offset: text.length, text: piece };
        text += piece;
        if (journal.has(key) || run.lost) return;
        const timestamp = new Date(env.clock.now()).toISOString();
        const event = {
          type: "text_delta",
          sessionId,
          timestamp,
          turnId: row.id,
          payload,
        } as const;
        env.bus.publish({ type: "transient", sessionId, event });
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
    await run.add(() => ({
      sessionId,
      writes: [created.write, remember(key, id), ...run.waking()],
      events: [created.event],
    }));
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

  return {
    sessionId,
    turnId: row.id,
    trigger: row.trigger ?? "user",
    message: { text: state.text, messageId: state.messageId },
    ...(session.cwd === null ? {} : { cwd: session.cwd }),
    permissionMode: session.settings.permissionMode,
    signal: run.abort.signal,
    tools: env.tools.list(),
    text: (text) => emit(`block|${++blocks}`, "text", { text }),
    thinking: (text) => emit(`block|${++blocks}`, "thinking", { text }),
    startText,
    call,
  };
}

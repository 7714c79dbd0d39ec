import type { PromptRequest } from "../../protocol/index.ts";
import { finishCall, stopTurnOf } from "../call/finish-call.ts";
import { toFailure } from "../call/journal.ts";
import { createLiveCall } from "../call/live-call.ts";
import type { ToolDefinition } from "../call/tool.ts";
import { type EnginePorts, requestInteraction } from "../engine.ts";
import { type AskState, type RunRow, StoreUnavailable } from "../ports.ts";
import { endRunWrite } from "../run/end.ts";
import type { LiveRun } from "../run/live-run.ts";

/** Each prompt has a name of its own, also among those of the call that it belongs to. */
const nameOf = (run: RunRow) => `ask-${run.id}`;
export const keyOf = (run: RunRow) => `|prompt|:${nameOf(run)}|1`;
export const keyed = (run: RunRow, prompt: PromptRequest): PromptRequest => ({
  ...prompt,
  key: nameOf(run),
  whenUnavailable: "wait",
});

export const ASK: ToolDefinition = {
  name: "ask",
  description: "What a program outside asks.",
  parameters: {},
  durable: "replay",
  pureHooks: true,
  handler() {},
};

/** The prompt is over: its call ends with that, unless the call was another's. */
export async function enterAsk(ports: EnginePorts, run: LiveRun, state: AskState): Promise<void> {
  const [own] = await ports.store.calls(run.row.id);
  const row = state.anchor ? await ports.store.call(run.row.sessionId, state.anchor) : own;
  if (!row) throw new Error(`The call of run ${run.row.id} is gone.`);
  const call = await createLiveCall(
    ports,
    { ...row, durable: "replay", toolVersion: null },
    ASK,
    "again",
    run.row.id,
  );
  run.addCall(call);
  const asked = requestInteraction(ports, run, call, {
    ...keyed(run.row, state.ask),
    onResponse: (response) => ({ complete: response }),
  });
  const end = await asked.then(
    (result) => ({ ok: true as const, result }),
    (error: unknown) => {
      if (error instanceof StoreUnavailable) throw error;
      return { ok: false as const, error: toFailure(error) };
    },
  );
  if (!state.anchor) return finishCall(ports, run, call, end);
  if (call.stopTurn) await stopTurnOf(ports, call);
  run.calls.delete(call.row.id);
  await run.commit(() => ({
    sessionId: run.row.sessionId,
    writes: [endRunWrite(run.row, ports.clock.now())],
    events: [],
  }));
  ports.live.delete(run.row.id);
}

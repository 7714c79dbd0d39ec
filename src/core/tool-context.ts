import { isAnchored } from "./anchored.ts";
import { requestInteraction } from "./engine.ts";
import { timeAt } from "./call-time.ts";
import { type Env, journalScope } from "./env.ts";
import { createApprovals } from "./grants.ts";
import { isJournaled, nameFor, takeOnce, valueOf } from "./journal.ts";
import type { LiveRun } from "./live-run.ts";
import type { LiveCall } from "./live-call.ts";
import { runStep } from "./steps.ts";
import type { ToolContext } from "./tool.ts";

/** What a tool's handler gets to work with. */
export function createToolContext(
  env: Env,
  run: LiveRun,
  call: LiveCall,
  cwd: string | null | undefined,
): ToolContext {
  const { row } = call;
  let shown = 0;
  const path = () => {
    const scope = env.scope.current();
    return scope?.callId === row.id ? scope.path : "";
  };
  /** What 0.1.0 had drawn for a call stands in its journal; else it comes of what is stored. */
  const drawnBefore = <Value>(kind: string, at: string, make: (name: string) => Value): Value => {
    const name = nameFor(call, at, kind, "");
    const before = call.journal.get(name);
    return before ? (valueOf(before) as Value) : make(name);
  };

  return {
    sessionId: row.sessionId,
    toolCallId: row.id,
    toolName: row.tool,
    ...(row.turnId === null ? {} : { turnId: row.turnId }),
    ...(row.responseId === null ? {} : { responseId: row.responseId }),
    ...(cwd ? { cwd } : {}),
    signal: call.patience
      ? AbortSignal.any([run.abort.signal, call.patience.abort.signal])
      : run.abort.signal,
    requestInteraction(request) {
      const asked = requestInteraction(env, run, call, request);
      // A handler that failed before it came to await this one has an error already.
      asked.catch(() => {});
      return asked;
    },
    get interaction() {
      return takeOnce(run, call, { path: path(), kind: "interaction", name: "" }, () =>
        env.presence.availability(),
      );
    },
    approvals: createApprovals(env, run, call),
    step: (name, fn) => runStep(env, run, call, path(), name, fn) as never,
    now() {
      const at = path();
      return drawnBefore("now", at, () => (isJournaled(call) ? timeAt(call, at) : env.clock.now()));
    },
    uuid() {
      const seed = row.seed ?? journalScope(row.sessionId, row.id);
      return drawnBefore("uuid", path(), (name) => toUuid(env.ids.digest(`${seed}/${name}`)));
    },
    output(text) {
      // Whoever made this call shows what it has to show in the block that is there.
      if (isAnchored(row)) return;
      const event = {
        sessionId: row.sessionId,
        timestamp: new Date(env.clock.now()).toISOString(),
        ...(row.turnId === null ? {} : { turnId: row.turnId }),
        type: "tool_output_delta",
        payload: { toolCallId: row.id, offset: shown, text },
      } as const;
      shown += text.length;
      env.bus.publish({ type: "transient", sessionId: row.sessionId, event });
    },
  };
}

function toUuid(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

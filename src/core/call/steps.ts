import { passTime, setTime, timeAt } from "./call-time.ts";
import { arrive, goOn, HANDLER } from "./handler-activity.ts";
import type { LiveRun } from "../run/live-run.ts";
import { freeName, type LiveCall, takeName } from "./live-call.ts";
import { isJournaled, journalWrite, nameFor, throughJson, toFailure, valueOf } from "./journal.ts";
import { ToolError } from "./tool.ts";
import type { CorePorts } from "../api.ts";

/** Runs `fn` unless this step is already in the journal; then gives what it gave, or failed with. */
export async function runStep(
  ports: Pick<CorePorts, "clock" | "log" | "scope">,
  run: LiveRun,
  call: LiveCall,
  path: string,
  name: string,
  fn: () => unknown,
): Promise<unknown> {
  const inUse = `${path}|step|${name}`;
  if (call.inUse.includes(inUse)) {
    throw new ToolError(
      "key_required",
      `A step "${name}" is already running here: give each its own name.`,
    );
  }
  const key = nameFor(call, path, "step", name);
  const before = call.journal.get(key);
  if (before) passTime(call, path, call.stepTimes?.get(key) ?? 0);
  if (before?.state === "done") return valueOf(before);
  if (before) {
    const failure = valueOf(before) as { code: string; message: string };
    throw new ToolError(failure.code, failure.message);
  }
  takeName(call, inUse);
  if (path === HANDLER) arrive(call);
  call.activity.running++;
  try {
    if (isJournaled(call)) await run.wake();
    // A step may do what cannot be undone: not for a call that a crash could still take back.
    await run.onDisk();
    await run.untilOurs();
    // What the step takes by itself must not shift the names of what comes after it.
    const scope = { callId: call.row.id, path: key };
    setTime(call, key, timeAt(call, path));
    const outcome = await attempt(() => ports.scope.run(scope, fn));
    if (isJournaled(call)) {
      const at = ports.clock.now();
      const write = journalWrite(call, key, "step", { ...outcome, at });
      await run.commit(() => ({ sessionId: call.row.sessionId, writes: [write], events: [] }));
      call.stepTimes ??= new Map();
      call.stepTimes.set(key, at);
      passTime(call, path, at);
    }
    if (outcome.state === "done") return outcome.value;
    throw new ToolError(outcome.value.code, outcome.value.message, { cause: outcome.cause });
  } finally {
    call.activity.running--;
    if (path === HANDLER) goOn(ports, run, call, true);
    freeName(call, inUse);
  }
}

async function attempt(fn: () => unknown) {
  try {
    return { state: "done", value: throughJson(await fn()) } as const;
  } catch (cause) {
    return { state: "failed", value: toFailure(cause), cause } as const;
  }
}

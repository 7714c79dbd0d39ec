import type { BegunCall, CallPorts } from "../call/calls.ts";
import { finishCall } from "../call/finish-call.ts";
import { createLiveCall } from "../call/live-call.ts";
import { type CallEnd, ToolError } from "../call/tool.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { NativeCall } from "./native-call.ts";
import type { OwnCalls } from "./own-calls.ts";

/**
 * A call of one of our tools, as the runtime that tells of it sees it. It asks by itself, and ends by
 * itself; one that the runtime never made, or no longer waits for, ends with what the runtime says.
 */
export async function toldOwnCall(
  ports: CallPorts,
  run: LiveRun,
  { begun, made, over }: ReturnType<OwnCalls<BegunCall>["told"]>,
): Promise<NativeCall> {
  const stored = await begun;
  const id = "row" in stored ? stored.row.id : "";
  const live = () => run.calls.get(id);
  let isOver = !("row" in stored);

  async function end(how: CallEnd): Promise<void> {
    over();
    if (isOver || !("row" in stored)) return;
    isOver = true;
    const call = live();
    if (call) return finishCall(ports, run, call, how);
    // It has ended by itself, unless nobody has made it.
    if (made()) return;
    const unmade = await createLiveCall(
      ports,
      stored.row,
      ports.tools.get(stored.row.tool),
      "first",
    );
    run.addCall(unmade);
    await finishCall(ports, run, unmade, how);
  }

  return {
    toolCallId: id,
    get stopped() {
      return live()?.stopTurn ?? false;
    },
    get ended() {
      return isOver;
    },
    // What it is about its own tool says.
    update: () => Promise.resolve(),
    approve: () => Promise.reject(asksItself()),
    ask: () => Promise.reject(asksItself()),
    output: () => {},
    end,
  };
}

function asksItself(): ToolError {
  return new ToolError("tool_error", "A tool of Beckon asks by itself.");
}

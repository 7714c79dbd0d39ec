import type { CorePorts } from "../api.ts";
import { HANDLER } from "./handler-activity.ts";
import type { LiveCall } from "./live-call.ts";

type ScopePorts = Pick<CorePorts, "scope">;

/*
 * Which piece of a call is at work. Hooks and steps run in a scope that names them; what runs in no
 * scope of its call is its handler. Following a scope through all that is awaited slows everything
 * else down, so there is none where nobody asks for it.
 */

/** The hook or step of this call that is at work; nothing: its handler is. */
export function scopeOf({ scope }: ScopePorts, { row }: LiveCall) {
  const current = scope.current();
  return current?.callId === row.id ? current : undefined;
}

export function pathOf(ports: ScopePorts, call: LiveCall): string {
  return scopeOf(ports, call)?.path ?? HANDLER;
}

/** Runs the handler, which must not be taken for a hook that has led to it. */
export function inHandler<Value>(ports: ScopePorts, call: LiveCall, work: () => Value): Value {
  if (!scopeOf(ports, call)) return work();
  return ports.scope.run({ callId: call.row.id, path: HANDLER }, work);
}

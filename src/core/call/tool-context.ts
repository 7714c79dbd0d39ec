import { isAnchored } from "./anchored.ts";
import { requestInteraction, type EnginePorts } from "../engine.ts";
import { pathOf } from "./call-path.ts";
import { timeAt } from "./call-time.ts";
import { createApprovals, type ApprovalPorts } from "./grants.ts";
import { isJournaled, nameFor, takeOnce, valueOf, journalScope } from "./journal.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { LiveCall } from "./live-call.ts";
import { runStep } from "./steps.ts";
import type { Availability, InteractionRequestWithHooks, ToolContext } from "./tool.ts";
import { onDemand } from "../on-demand.ts";
import type { CorePorts } from "../api.ts";

export interface ToolContextPorts extends EnginePorts, ApprovalPorts, Pick<CorePorts, "bus"> {}

/** What a tool's handler gets to work with. */
export function createToolContext(
  ports: ToolContextPorts,
  run: LiveRun,
  call: LiveCall,
  cwd: string | null | undefined,
): ToolContext {
  const { row } = call;
  const facts: Writable<Pick<ToolContext, Fact>> = {
    sessionId: row.sessionId,
    toolCallId: row.id,
    toolName: row.tool,
  };
  if (row.turnId !== null) facts.turnId = row.turnId;
  if (row.responseId !== null) facts.responseId = row.responseId;
  if (cwd) facts.cwd = cwd;
  return withAbilities(facts, new Handling(ports, run, call));
}

type Fact = "sessionId" | "toolCallId" | "toolName" | "turnId" | "responseId" | "cwd";
type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

const withAbilities = onDemand<Handling, Omit<ToolContext, Fact>>({
  signal: (handling) => handling.signal,
  requestInteraction: (handling) => (request) => handling.requestInteraction(request),
  interaction: (handling) => handling.interaction,
  approvals: ({ ports, run, call }) => createApprovals(ports, run, call),
  step: (handling) => (name, fn) => handling.step(name, fn) as never,
  now: (handling) => () => handling.now(),
  uuid: (handling) => () => handling.uuid(),
  output: (handling) => (text) => handling.output(text),
});

const ignore = () => {};

/** What the handler of a call does with its context. */
class Handling {
  readonly ports: ToolContextPorts;
  readonly run: LiveRun;
  readonly call: LiveCall;
  #shown = 0;
  #signal: AbortSignal | undefined;

  constructor(ports: ToolContextPorts, run: LiveRun, call: LiveCall) {
    this.ports = ports;
    this.run = run;
    this.call = call;
  }

  get signal(): AbortSignal {
    const { run, call } = this;
    this.#signal ??= call.timeout
      ? AbortSignal.any([run.signal, call.timeout.abort.signal])
      : run.signal;
    return this.#signal;
  }

  requestInteraction(request: InteractionRequestWithHooks): Promise<unknown> {
    const asked = requestInteraction(this.ports, this.run, this.call, request);
    // A handler that failed before it came to await this one has an error already.
    asked.catch(ignore);
    return asked;
  }

  get interaction(): Availability {
    return takeOnce(
      this.run,
      this.call,
      { path: this.#path(), kind: "interaction", name: "" },
      () => this.ports.presence.availability(),
    );
  }

  step(name: string, fn: () => unknown): Promise<unknown> {
    return runStep(this.ports, this.run, this.call, this.#path(), name, fn);
  }

  now(): number {
    const at = this.#path();
    return this.#drawnBefore("now", at, () =>
      isJournaled(this.call) ? timeAt(this.call, at) : this.ports.clock.now(),
    );
  }

  uuid(): string {
    const { row } = this.call;
    const seed = row.seed ?? journalScope(row.sessionId, row.id);
    return this.#drawnBefore("uuid", this.#path(), (name) =>
      toUuid(this.ports.ids.digest(`${seed}/${name}`)),
    );
  }

  output(text: string): void {
    const { row } = this.call;
    // Whoever made this call shows what it has to show in the block that is there.
    if (isAnchored(row)) return;
    const event = {
      sessionId: row.sessionId,
      timestamp: new Date(this.ports.clock.now()).toISOString(),
      ...(row.turnId === null ? {} : { turnId: row.turnId }),
      type: "tool_output_delta",
      payload: { toolCallId: row.id, offset: this.#shown, text },
    } as const;
    this.#shown += text.length;
    this.ports.bus.publish({ type: "transient", sessionId: row.sessionId, event });
  }

  #path(): string {
    return pathOf(this.ports, this.call);
  }

  /** What 0.1.0 had drawn for a call stands in its journal; else it comes of what is stored. */
  #drawnBefore<Value>(kind: string, at: string, make: (name: string) => Value): Value {
    const name = nameFor(this.call, at, kind, "");
    const before = this.call.journal.get(name);
    return before ? (valueOf(before) as Value) : make(name);
  }
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

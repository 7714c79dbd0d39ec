import { isOpen } from "../interaction.ts";
import type { CallRow, Clock } from "../ports.ts";
import { type CallEnd, type ToolDefinition, ToolError } from "./tool.ts";
import { never } from "../run/never.ts";
import type { CorePorts } from "../api.ts";

/** Counts down while a handler works, and stands still while it waits for people. */
export class ToolTimeout {
  /** Aborts when the time is over, for the handler to hear of it. */
  readonly abort = new AbortController();
  readonly #clock: Clock;
  readonly #ms: number;
  #left = 0;
  #since = 0;
  #held = false;
  #stopped = false;
  #disarm: () => void = () => {};
  #end: () => void = () => {};

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Resolves when the time is over. Called again, it counts anew. */
  over(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.#end = resolve;
      this.#left = this.#ms;
      if (!this.#held) this.go();
    });
  }

  go(): void {
    this.#held = false;
    this.#disarm();
    if (this.#stopped) return;
    this.#since = this.#clock.now();
    this.#disarm = this.#clock.timer(this.#left, this.#end);
  }

  hold(): void {
    this.#held = true;
    this.#disarm();
    this.#left = Math.max(0, this.#left - (this.#clock.now() - this.#since));
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }
}

/** The end of a call whose handler does not come to one. */
export async function outOfTime(
  ports: Pick<CorePorts, "store">,
  run: { lost: boolean },
  call: { row: CallRow; tool: ToolDefinition },
  timeout: ToolTimeout,
): Promise<CallEnd> {
  do {
    await timeout.over();
    if (run.lost) return never();
    // Also while a program outside asks in its place, people are waited for.
  } while (await isAsked(ports, call));
  const { name, plugin, timeoutMs = 0 } = call.tool;
  const who = plugin === undefined ? `The tool ${name}` : `The plugin ${plugin}`;
  const error = new ToolError(
    "tool_timeout",
    `${who} did not finish ${plugin === undefined ? "" : `${name} `}within ${timeoutMs / 1_000} seconds of its own work.`,
  );
  timeout.abort.abort(error);
  return { ok: false, error: { code: error.code, message: error.message } };
}

async function isAsked(
  ports: Pick<CorePorts, "store">,
  { row }: { row: CallRow },
): Promise<boolean> {
  return (await ports.store.interactionsOfCall(row.sessionId, row.id)).some(
    (prompt) => isOpen(prompt) && prompt.link === "live",
  );
}

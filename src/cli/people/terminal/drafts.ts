import type { InteractionRecord } from "../../../protocol/index.ts";
import type { Values } from "./form-steps.ts";

/**
 * What was filled in. A prompt that is left begins with it when it is opened again, and one that is
 * asked again with what stood in the attempt before. No other does: programs that ask in one call
 * have nothing in common.
 */
export class Drafts {
  readonly #kept = new Map<string, Values>();

  of(record: InteractionRecord): Values | undefined {
    return this.#kept.get(record.id) ?? this.#kept.get(attemptOf(record, 0));
  }

  keep(record: InteractionRecord, values: Values): void {
    this.#kept.set(record.id, values);
    this.#kept.set(attemptOf(record, 1), values);
  }

  /** It was answered, with these values if they were asked for. */
  sent(record: InteractionRecord, values?: Values): void {
    this.#kept.delete(record.id);
    if (values) this.#kept.set(attemptOf(record, 1), values);
    else this.#kept.delete(attemptOf(record, 1));
  }
}

/** Names an attempt at the same thing: this one, or the one after. */
function attemptOf(record: InteractionRecord, later: 0 | 1): string {
  const { sessionId, toolCallId, request } = record;
  return JSON.stringify([sessionId, toolCallId, request.toolName, request.attempt + later]);
}

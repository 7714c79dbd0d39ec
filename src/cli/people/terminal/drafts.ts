import type { FormValues, InteractionView } from "../../../client/index.ts";
import { attemptKey } from "../../../client/prompt-drafts.ts";
import type { InteractionRecord } from "../../../protocol/index.ts";

/**
 * What was filled in. A prompt that is left begins with it when it is opened again, and one that is
 * asked again with what stood in the attempt before. No other does: programs that ask in one call
 * have nothing in common.
 */
export class Drafts {
  /** What was typed and not sent, by prompt and by the attempt that begins with it. */
  readonly #typed = new Map<string, FormValues>();
  /** What was answered, by the attempt after it. */
  readonly #answered = new Map<string, NonNullable<InteractionView["previous"]>>();

  of(record: InteractionRecord): { kept?: FormValues; previous?: InteractionView["previous"] } {
    const attempt = attemptOf(record, 0);
    return {
      kept: this.#typed.get(record.id) ?? this.#typed.get(attempt),
      previous: this.#answered.get(attempt),
    };
  }

  keep(record: InteractionRecord, values: FormValues): void {
    this.#typed.set(record.id, values);
    this.#typed.set(attemptOf(record, 1), values);
  }

  /** It was answered, with these values if they were asked for. */
  sent(record: InteractionRecord, answered?: InteractionView["previous"]): void {
    const next = attemptOf(record, 1);
    this.#typed.delete(record.id);
    this.#typed.delete(next);
    if (answered) this.#answered.set(next, answered);
    else this.#answered.delete(next);
  }
}

function attemptOf({ sessionId, toolCallId, request }: InteractionRecord, ahead: 0 | 1) {
  return attemptKey(sessionId, { callId: toolCallId, request }, ahead);
}

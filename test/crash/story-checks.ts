import { isDeepStrictEqual } from "node:util";
import type { ChatEvent } from "../../src/protocol/index.ts";
import type { Findings } from "./checks.ts";
import type { CallEvidence } from "./evidence.ts";
import { RESULTS } from "./stories.ts";

/** How often a run may be entered in a row before it is given up: `MAX_ATTEMPTS` of the core. */
const MAX_ATTEMPTS = 3;

/**
 * An accepted answer is heard once: by the hook, whose outcome is stored, or as one message. One
 * that came as a message may be adopted too, by the identical call.
 */
export function* checkHeard({ evidence, replayed }: Findings): Iterable<string> {
  for (const { id, response, outcome, adopted_by_call: adopted } of evidence.interactions) {
    const messages = replayed.filter(
      ({ type, payload }) => type === "user_message" && payload.interactionId === id,
    ).length;
    const told = response?.late === true || outcome === null || adopted !== null;
    if (messages !== (response !== null && told ? 1 : 0)) {
      yield `I1: the answer to ${id} became ${messages} messages (outcome ${outcome?.kind})`;
    }
  }
}

/** What was sent again under the same id was said once. */
export function* checkMessages({ messages, replayed }: Findings): Iterable<string> {
  const said = replayed.flatMap(({ type, payload }) =>
    type === "user_message" && payload.source === "user" ? [payload.messageId] : [],
  );
  for (const { messageId } of messages) {
    const times = said.filter((id) => id === messageId).length;
    if (times !== 1) yield `the message ${messageId} is ${times} times in the log`;
  }
}

/** A call ends as its story says, or is interrupted: for a reason that can be named. */
export function* checkResults({ evidence, replayed }: Findings): Iterable<string> {
  for (const call of evidence.calls) {
    if (call.ok === 1) {
      const wanted = RESULTS[call.tool]?.(call.input.id) ?? {};
      const given = call.result?.value ?? {};
      const differs = Object.entries(wanted).some(
        ([name, value]) => !isDeepStrictEqual(given[name], value),
      );
      if (differs) yield `${call.tool} gave ${JSON.stringify(given)}`;
      const outcomes = evidence.interactions.map(({ outcome }) => outcome?.value?.outcome);
      if (given.outcome !== undefined && !outcomes.includes(given.outcome)) {
        yield `I6: ${call.tool} went on with an outcome that is not the stored one`;
      }
      if (
        given.uuid !== undefined &&
        !prompts(replayed, call).includes(`Go on with ${given.uuid}?`)
      ) {
        yield `${call.tool} took another uuid when it was run again`;
      }
      continue;
    }
    const givenUp = call.durable === "orphan" || call.run_attempt > MAX_ATTEMPTS;
    if (call.error?.code !== "tool_interrupted" || !givenUp) {
      yield `${call.tool} failed with ${JSON.stringify(call.error)} in attempt ${call.run_attempt}`;
    }
  }
}

function prompts(log: ChatEvent[], call: CallEvidence): (string | undefined)[] {
  return log.flatMap(({ type, payload }) =>
    type === "interaction_request" && payload.toolCallId === call.id ? [payload.prompt] : [],
  );
}

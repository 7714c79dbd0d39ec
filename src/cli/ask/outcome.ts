import { fieldsOf, type InteractionRecord } from "../../protocol/index.ts";
import { EXIT } from "../failure.ts";

/** What became of a prompt, for a script: an exit code, and words for the person who reads along. */
export interface Outcome {
  exitCode: number;
  words: string;
}

/** The form of a plain question has this one field; its answer is printed as it is. */
export const ANSWER = "answer";

export function outcomeOf(record: InteractionRecord): Outcome {
  switch (record.status) {
    case "pending":
      return { exitCode: EXIT.pending, words: "Nobody has answered yet; it stays open." };
    case "timed_out":
      return { exitCode: EXIT.timedOut, words: "Nobody answered in time." };
    case "cancelled":
      return { exitCode: EXIT.cancelled, words: "It was withdrawn." };
    case "superseded":
      return { exitCode: EXIT.cancelled, words: "A newer prompt has taken its place." };
    case "failed":
      return { exitCode: EXIT.failure, words: "What had asked ended before anybody answered." };
    case "answered":
      return answered(record);
  }
}

function answered({ request, response }: InteractionRecord): Outcome {
  const by = response?.responder.name ?? "somebody";
  const why = response?.reason ? `: ${response.reason}` : ".";
  switch (response?.action) {
    case "approve":
      return { exitCode: EXIT.ok, words: `Approved by ${by}.` };
    case "submit":
      return { exitCode: EXIT.ok, words: `Answered by ${by}.` };
    case "cancel":
      return { exitCode: EXIT.cancelled, words: `Skipped by ${by}${why}` };
    default: {
      const denied = request.interactionType === "approval" ? "Denied" : "Refused";
      return { exitCode: EXIT.denied, words: `${denied} by ${by}${why}` };
    }
  }
}

/** What a person has filled in: one thing as it is, several as JSON. Nothing for an approval. */
export function answerLines(record: InteractionRecord): string[] {
  const given = givenIn(record);
  if ("answer" in given) return [given.answer].flat().map(String);
  const several = given.answers ?? given.input;
  return several ? [JSON.stringify(several)] : [];
}

/** A prompt as one JSON object. */
export function toJson(record: InteractionRecord): Record<string, unknown> {
  const { id, sessionId, toolCallId, status, response } = record;
  if (!response) return { id, sessionId, toolCallId, status };
  const { action, approvalScope, optionId, updatedInput, reason, responder } = response;
  return {
    id,
    sessionId,
    toolCallId,
    status,
    action,
    ...givenIn(record),
    ...{ approvalScope, optionId, updatedInput, reason, responder },
  };
}

interface Filled {
  answer?: unknown;
  answers?: Record<string, string | string[]>;
  input?: Record<string, unknown>;
}

function givenIn({ request, response }: InteractionRecord): Filled {
  const { input } = response ?? {};
  if (response?.action !== "submit" || !input) return {};
  if (request.questions) return { answers: readAnswers(request.questions, input["answers"]) };
  const fields = request.inputSchema ? fieldsOf(request.inputSchema) : [];
  const isPlain = fields.length === 1 && fields[0]?.id === ANSWER && input[ANSWER] !== undefined;
  return isPlain ? { answer: input[ANSWER] } : { input };
}

type Questions = NonNullable<InteractionRecord["request"]["questions"]>;

/** On the wire the choices of one question are one text; here they are a list. */
function readAnswers(questions: Questions, given: unknown): Record<string, string | string[]> {
  const answers = (given ?? {}) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(answers).map(([index, text]) => [
      index,
      questions[Number(index)]?.multiSelect ? (JSON.parse(text) as string[]) : text,
    ]),
  );
}

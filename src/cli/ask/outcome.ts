import { decodeAnswer } from "../../client/answers.ts";
import { decisionWords } from "../../client/decision-words.ts";
import { endedWords } from "../../client/elsewhere-words.ts";
import {
  type Action,
  type ClosedReason,
  fieldsOf,
  type InteractionRecord,
  type Question,
} from "../../protocol/index.ts";
import { EXIT } from "../failure.ts";

/** What became of a prompt, for a script: an exit code, and words for the person who reads along. */
export interface Outcome {
  exitCode: number;
  words: string;
}

/** The form of a plain question has this one field; its answer is printed as it is. */
export const ANSWER = "answer";

export function outcomeOf({ status, request, response, action }: InteractionRecord): Outcome {
  if (status === "pending")
    return { exitCode: EXIT.pending, words: "Nobody has answered yet; it stays open." };
  if (response)
    return {
      exitCode: EXIT_OF_ACTION[response.action],
      words: `${decisionWords(response, "name", request)}.`,
    };
  if (status === "decided_elsewhere")
    return {
      exitCode: action ? EXIT_OF_ACTION[action] : EXIT.failure,
      words: `${endedWords(status, action)}.`,
    };
  const reason = status === "answered" ? "failed" : status;
  return { exitCode: EXIT_OF_REASON[reason], words: `${endedWords(reason)}.` };
}

const EXIT_OF_ACTION: Record<Action, number> = {
  approve: EXIT.ok,
  submit: EXIT.ok,
  cancel: EXIT.cancelled,
  deny: EXIT.denied,
};

const EXIT_OF_REASON: Record<Exclude<ClosedReason, "decided_elsewhere">, number> = {
  timed_out: EXIT.timedOut,
  cancelled: EXIT.cancelled,
  superseded: EXIT.cancelled,
  failed: EXIT.failure,
};

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

/** On the wire the choices of one question are one text; here they are a list. */
function readAnswers(questions: Question[], given: unknown): Record<string, string | string[]> {
  const answers = (given ?? {}) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(answers).map(([index, text]) => {
      const question = questions[Number(index)];
      return [index, question?.multiSelect ? decodeAnswer(question, text) : text];
    }),
  );
}

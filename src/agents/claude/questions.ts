import type { Prompt, UserResponse } from "../../core/index.ts";
import { LIMITS } from "../../protocol/index.ts";

/** A question as AskUserQuestion has it. */
interface ClaudeQuestion {
  question: string;
  header?: string;
  multiSelect?: boolean;
  options: { label: string; description?: string; preview?: string }[];
}

export function questionsOf(input: Record<string, unknown>): ClaudeQuestion[] {
  return (input["questions"] ?? []) as ClaudeQuestion[];
}

/** Our wire has short headers; a longer one is shown cut, and plays no part in the answer. */
export function toPromptQuestions(questions: ClaudeQuestion[]): Prompt["questions"] {
  return questions.map(({ question, header = "", multiSelect = false, options }) => ({
    question,
    header: Array.from(header).slice(0, LIMITS.headerCharacters).join(""),
    multiSelect,
    options,
  }));
}

/**
 * The tool's input with the answers in it, as the SDK wants them: by the text of the question.
 * Equal texts would share one answer, so the later ones are told apart by a number.
 */
export function withAnswers(
  input: Record<string, unknown>,
  response: UserResponse,
): Record<string, unknown> {
  const given = (response.input?.["answers"] ?? {}) as Record<string, string>;
  const questions = distinct(questionsOf(input));
  const answers = Object.fromEntries(
    questions.map((question, index) => [
      question.question,
      inWords(question, given[String(index)] ?? ""),
    ]),
  );
  return { ...input, questions, answers };
}

function distinct(questions: ClaudeQuestion[]): ClaudeQuestion[] {
  const seen = new Set<string>();
  return questions.map((question) => {
    let text = question.question;
    for (let number = 2; seen.has(text); number++) text = `${question.question} (${number})`;
    seen.add(text);
    return { ...question, question: text };
  });
}

function inWords({ multiSelect }: ClaudeQuestion, answer: string): string {
  return multiSelect ? (JSON.parse(answer) as string[]).join(", ") : answer;
}

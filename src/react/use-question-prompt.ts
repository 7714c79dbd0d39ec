import { useState } from "react";
import type { InteractionView } from "../client/index.ts";
import { type Choice, NO_CHOICE, tick, toAnswer, toChoice } from "../client/answers.ts";
import type { Question, ResponseBody } from "../protocol/index.ts";
import type { Reply } from "../transport/index.ts";
import { type CardModel, useCard } from "./use-card.ts";
import { useDraft } from "./use-draft.ts";

export interface QuestionPromptOptions {
  sessionId: string;
  interaction: InteractionView;
  /** Whether people may answer here. By default as the provider says. */
  interactive?: boolean;
  /** Sends the answer in another way than by the prompt's id. */
  send?: (body: ResponseBody) => Promise<Reply>;
}

/** Questions without their markup: what is asked, what is ticked, and what a person may do. */
export interface QuestionPromptModel {
  card: CardModel;
  questions: Question[];
  /** What is ticked, by question. */
  choices: Choice[];
  /** By the question's index, as the protocol has them; those answered so far. */
  answers: Record<string, string>;
  /** Every question is answered and the prompt is not fresh. */
  canSubmit: boolean;
  /** Ticks the option at that place, or Other. */
  choose: (question: number, what: number | "other") => void;
  /** Writes the free text, which ticks Other. */
  write: (question: number, text: string) => void;
  /** The question on screen, by its index: several are asked one at a time. */
  step: number;
  goTo: (question: number) => void;
  submit: () => void;
  /** Goes to the next question without an answer; submits once there is none. */
  proceed: () => void;
  /** Ends the prompt without an answer. */
  cancel: () => void;
  /** Ends it with a no. */
  decline: () => void;
}

/** State and handlers of questions, for those who draw their own card. */
export function useQuestionPrompt(options: QuestionPromptOptions): QuestionPromptModel {
  const { interaction } = options;
  const draftId = interaction.id;
  const questions = interaction.request.questions ?? [];
  const card = useCard({ ...options, draftId });
  const before = interaction.previous?.answers as Record<string, unknown> | undefined;
  const { state, change } = useDraft<{ choices: Choice[] }>(draftId, ({ choices }) => ({
    choices: questions.map(
      (question, index) => choices?.[index] ?? toChoice(question, before?.[index]),
    ),
  }));
  const { choices } = state;
  const answers = Object.fromEntries(
    questions.flatMap((question, index) => {
      const answer = toAnswer(question, choices[index] ?? NO_CHOICE);
      return answer === undefined ? [] : [[String(index), answer]];
    }),
  );
  const complete = Object.keys(answers).length === questions.length;
  const canSubmit = card.armed && complete;
  const [step, goTo] = useStep(card, questions.length, answers);

  function update(index: number, next: (choice: Choice, question: Question) => Choice) {
    card.clearError(String(index));
    change({
      choices: questions.map((question, at) => {
        const choice = choices[at] ?? NO_CHOICE;
        return at === index ? next(choice, question) : choice;
      }),
    });
  }

  function submit() {
    if (canSubmit) void card.respond({ action: "submit", input: { answers } });
  }

  return {
    card,
    questions,
    choices,
    answers,
    canSubmit,
    choose: (index, what) => update(index, (choice, question) => tick(question, choice, what)),
    write: (index, text) =>
      update(index, (choice, question) => ({
        ...(choice.other ? choice : tick(question, choice, "other")),
        text,
      })),
    step,
    goTo,
    submit,
    proceed: () => {
      if (complete) return submit();
      goTo(firstWhere(questions.length, (at) => !(at in answers), step + 1));
    },
    cancel: () => void card.respond({ action: "cancel" }),
    decline: () => void card.respond({ action: "deny" }),
  };
}

/** Begins at what needs a look: what is wrong, else what has no answer, else the end. */
function useStep(
  { fieldErrors, refusals }: CardModel,
  count: number,
  answers: Record<string, string>,
) {
  const wrong = () => firstWhere(count, (at) => at in fieldErrors, 0, -1);
  const [step, setStep] = useState(() => {
    const first = wrong();
    return first < 0 ? firstWhere(count, (at) => !(at in answers)) : first;
  });
  const [seen, setSeen] = useState(refusals);
  if (seen !== refusals) {
    setSeen(refusals);
    const first = wrong();
    if (first >= 0) setStep(first);
  }
  return [step, setStep] as const;
}

/** The first place from `start` on, and around, where it holds. */
function firstWhere(
  count: number,
  holds: (at: number) => boolean,
  start = 0,
  otherwise = Math.max(0, count - 1),
): number {
  const places = Array.from({ length: count }, (_, index) => (start + index) % count);
  return places.find(holds) ?? otherwise;
}

import type { InteractionView } from "../client/index.ts";
import type { Question, ResponseBody } from "../protocol/index.ts";
import type { Reply } from "../transport/index.ts";
import { type Choice, NOTHING, tick, toAnswer } from "./answers.ts";
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
  submit: () => void;
  /** Ends the prompt without an answer. */
  cancel: () => void;
}

/** State and handlers of questions, for those who draw their own card. */
export function useQuestionPrompt(options: QuestionPromptOptions): QuestionPromptModel {
  const { interaction } = options;
  const draftId = interaction.id;
  const questions = interaction.request.questions ?? [];
  const card = useCard({ ...options, draftId });
  const { state, change } = useDraft<{ choices: Choice[] }>(draftId, ({ choices }) => ({
    choices: questions.map((_, index) => ({ ...NOTHING, ...choices?.[index] })),
  }));
  const { choices } = state;
  const answers = Object.fromEntries(
    questions.flatMap((question, index) => {
      const answer = toAnswer(question, choices[index] ?? NOTHING);
      return answer === undefined ? [] : [[String(index), answer]];
    }),
  );
  const complete = Object.keys(answers).length === questions.length;
  const canSubmit = card.armed && complete;

  function update(index: number, next: (choice: Choice, question: Question) => Choice) {
    card.clearError(String(index));
    change({
      choices: questions.map((question, at) => {
        const choice = choices[at] ?? NOTHING;
        return at === index ? next(choice, question) : choice;
      }),
    });
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
    submit: () => {
      if (canSubmit) void card.respond({ action: "submit", input: { answers } });
    },
    cancel: () => void card.respond({ action: "cancel" }),
  };
}

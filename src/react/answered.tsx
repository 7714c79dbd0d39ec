import { visibleText } from "../client/index.ts";
import { answerInWords } from "../client/answers.ts";
import type { Question } from "../protocol/index.ts";
import { Unsent } from "./unsent.tsx";
import type { QuestionPromptModel } from "./use-question-prompt.ts";

/** Afterwards: what was chosen, by whoever did, and what was chosen here and not sent. */
export function Answered({ model: { card, questions, answers } }: { model: QuestionPromptModel }) {
  const { response } = card.interaction;
  const given = response?.input?.answers as Record<string, unknown> | undefined;
  const sent = given !== undefined && response?.responder.clientId === card.clientId;
  return (
    <>
      {given && <Chosen questions={questions} answers={given} />}
      {Object.keys(answers).length > 0 && !sent && (
        <Unsent>
          <Chosen questions={questions} answers={answers} />
        </Unsent>
      )}
    </>
  );
}

interface ChosenProps {
  questions: Question[];
  answers: Record<string, unknown>;
}

function Chosen({ questions, answers }: ChosenProps) {
  return (
    <dl className="bk-values">
      {questions.map((question, index) => (
        <div key={index}>
          <dt>
            <span className="bk-chip">{visibleText(question.header)}</span>{" "}
            <span className="bk-asked">{visibleText(question.question)}</span>
          </dt>
          <dd>{visibleText(answerInWords(question, answers[String(index)]))}</dd>
        </div>
      ))}
    </dl>
  );
}

import { useEffect, useRef } from "react";
import { Answered } from "./answered.tsx";
import { Card, type CardProps } from "./card.tsx";
import { Leave } from "./leave.tsx";
import { OneQuestion } from "./one-question.tsx";
import { QuestionSteps, StepButtons } from "./question-steps.tsx";
import { type QuestionPromptOptions, useQuestionPrompt } from "./use-question-prompt.ts";

/** The card of questions: one of them on screen at a time. */
export function Questions(props: CardProps & QuestionPromptOptions) {
  const model = useQuestionPrompt(props);
  const { card, questions, step } = model;
  const { prompt } = card.interaction.request;
  const several = questions.length > 1;
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const question = card.ref.current?.querySelector<HTMLElement>("[data-beckon-options]");
    if (!question?.contains(document.activeElement)) question?.focus();
  }, [step, card.ref]);
  return (
    <Card
      {...props}
      card={card}
      kind="question"
      send={model.proceed}
      chord={several ? "goes on, at the end it submits" : "submits"}
      keys={["1–9 choose"]}
      lead={several && <QuestionSteps model={model} />}
      ended={<Answered model={model} />}
      gist={prompt === undefined ? "" : undefined}
      actions={
        <div className="bk-row">
          <div className="bk-buttons">
            <StepButtons model={model} />
            {!props.send && <Leave {...model} />}
          </div>
        </div>
      }
    >
      <OneQuestion key={step} model={model} hasChip={!several && prompt !== undefined} />
    </Card>
  );
}

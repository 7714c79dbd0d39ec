import { visibleText } from "../client/index.ts";
import type { QuestionPromptModel } from "./use-question-prompt.ts";

/** Every question by its header: which are answered, which one is on screen, and a way to each. */
export function QuestionSteps({ model }: { model: QuestionPromptModel }) {
  const { questions, answers, step, card } = model;
  return (
    <nav className="bk-steps" aria-label="Questions">
      {questions.map(({ header }, at) => {
        const name = visibleText(header);
        return (
          <button
            key={at}
            type="button"
            aria-current={at === step ? "step" : undefined}
            aria-label={at in answers ? `${name}, answered` : name}
            data-answered={at in answers || undefined}
            disabled={card.state === "submitting"}
            onClick={() => model.goTo(at)}
          >
            {name}
          </button>
        );
      })}
      <span className="bk-hint">
        {Object.keys(answers).length} of {questions.length} answered
      </span>
    </nav>
  );
}

/** Back, Next and Submit: the one to press now comes first and looks like it. */
export function StepButtons({ model }: { model: QuestionPromptModel }) {
  const { questions, answers, step, card } = model;
  const last = questions.length - 1;
  const complete = Object.keys(answers).length > last;
  return (
    <>
      {complete || step === last ? (
        <button
          type="button"
          data-decision="submit"
          disabled={!model.canSubmit}
          onClick={model.submit}
        >
          {card.state === "submitting" ? "Sending…" : "Submit"}
        </button>
      ) : null}
      {step < last && (
        <button
          type="button"
          data-decision={complete ? undefined : "submit"}
          onClick={() => model.goTo(step + 1)}
        >
          Next
        </button>
      )}
      {step > 0 && (
        <button type="button" onClick={() => model.goTo(step - 1)}>
          Back
        </button>
      )}
    </>
  );
}

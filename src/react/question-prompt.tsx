import { useId, useMemo } from "react";
import { type InteractionView, visibleText } from "../client/index.ts";
import type { Question, ResponseBody } from "../protocol/index.ts";
import { fromAnswer, NOTHING } from "./answers.ts";
import { Card, type CardProps } from "./card.tsx";
import { standIn } from "./prompt-from-props.ts";
import { useTransport } from "./transport-context.tsx";
import { Unsent } from "./unsent.tsx";
import {
  type QuestionPromptModel,
  type QuestionPromptOptions,
  useQuestionPrompt,
} from "./use-question-prompt.ts";

export type QuestionPromptProps = CardProps & { sessionId: string } & (
    | { interaction: InteractionView }
    | { interaction?: undefined; toolCallId: string; questions: Question[] }
  );

/** Asks questions with options. With an `interaction` it shows every state of the prompt. */
export function QuestionPrompt(props: QuestionPromptProps) {
  return props.interaction ? (
    <Questions key={props.interaction.id} {...props} />
  ) : (
    <PlainQuestions key={props.toolCallId} {...props} />
  );
}

function PlainQuestions(props: Extract<QuestionPromptProps, { toolCallId: string }>) {
  const { sessionId, toolCallId, questions } = props;
  const transport = useTransport();
  const interaction = useMemo(
    () => standIn(sessionId, toolCallId, { toolName: "ask", interactionType: "input", questions }),
    [sessionId, toolCallId, questions],
  );
  const send = ({ input, responseId }: ResponseBody) =>
    transport.submitAnswers(sessionId, toolCallId, input?.answers as Record<string, string>, {
      responseId,
    });
  return <Questions {...props} interaction={interaction} send={send} />;
}

function Questions(props: CardProps & QuestionPromptOptions) {
  const model = useQuestionPrompt(props);
  const { card, questions, answers } = model;
  const { prompt } = card.interaction.request;
  const done = Object.keys(answers).length;
  return (
    <Card
      {...props}
      card={card}
      kind="question"
      title={prompt ?? (questions.length > 1 ? `${questions.length} questions` : "A question")}
      news={`Question: ${prompt ?? questions[0]?.question ?? ""}`}
      send={model.submit}
      keys="1–9 choose · Ctrl+Enter submits · Esc leaves a field"
      ended={<Answered model={model} />}
    >
      {questions.map((_, index) => (
        <OneQuestion key={index} model={model} index={index} />
      ))}
      <div className="bk-actions">
        <button
          type="button"
          data-decision="submit"
          disabled={!model.canSubmit}
          onClick={model.submit}
        >
          {card.state === "submitting" ? "Sending…" : "Submit"}
        </button>
        {!props.send && (
          <button type="button" onClick={model.cancel}>
            Don’t answer
          </button>
        )}
        {questions.length > 1 && (
          <span className="bk-progress">
            {done} of {questions.length} answered
          </span>
        )}
      </div>
    </Card>
  );
}

function OneQuestion({ model, index }: { model: QuestionPromptModel; index: number }) {
  const id = useId();
  const question = model.questions[index];
  if (!question) return null;
  const choice = model.choices[index] ?? NOTHING;
  const error = model.card.fieldErrors[String(index)];
  const tickable = {
    type: question.multiSelect ? "checkbox" : "radio",
    name: id,
    "data-beckon-option": "",
  };
  const wrong = error === undefined ? {} : { "aria-invalid": true };
  return (
    <fieldset
      {...(question.multiSelect ? {} : { role: "radiogroup", ...wrong })}
      className="bk-question"
      data-beckon-options=""
      aria-describedby={error === undefined ? undefined : `${id}error`}
    >
      <legend>
        <span className="bk-chip">{visibleText(question.header)}</span>{" "}
        <span className="bk-asked">{visibleText(question.question, { multiline: true })}</span>
        {question.multiSelect && <span className="bk-hint"> Choose one or more.</span>}
      </legend>
      {question.options.map((option, at) => (
        <div key={at} className="bk-option">
          <label>
            <input
              {...tickable}
              {...(question.multiSelect ? wrong : {})}
              checked={choice.options.includes(at)}
              onChange={() => model.choose(index, at)}
            />{" "}
            <span className="bk-label">{visibleText(option.label)}</span>{" "}
            {option.description !== undefined && (
              <span className="bk-hint">{visibleText(option.description)}</span>
            )}
          </label>
          {option.preview !== undefined && (
            <details>
              <summary>Preview of {visibleText(option.label)}</summary>
              <pre className="bk-preview">{visibleText(option.preview, { multiline: true })}</pre>
            </details>
          )}
        </div>
      ))}
      <div className="bk-option">
        <label>
          <input
            {...tickable}
            checked={choice.other}
            onChange={() => model.choose(index, "other")}
          />{" "}
          <span className="bk-label">Other</span>
        </label>
        <input
          type="text"
          className="bk-other"
          placeholder="Your own answer"
          aria-label={`Other: ${visibleText(question.question)}`}
          value={choice.text}
          onChange={(event) => model.write(index, event.target.value)}
        />
      </div>
      {error !== undefined && (
        <p id={`${id}error`} className="bk-error">
          {visibleText(error)}
        </p>
      )}
    </fieldset>
  );
}

/** Afterwards: what was chosen, by whoever did, and what was chosen here and not sent. */
function Answered({ model: { card, questions, answers } }: { model: QuestionPromptModel }) {
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
      {questions.map((question, index) => {
        const chosen = fromAnswer(question, answers[String(index)]);
        return (
          <div key={index}>
            <dt>
              <span className="bk-chip">{visibleText(question.header)}</span>{" "}
              <span className="bk-asked">{visibleText(question.question)}</span>
            </dt>
            <dd>{chosen.map((text) => visibleText(text)).join(", ") || "–"}</dd>
          </div>
        );
      })}
    </dl>
  );
}

import { type RefObject, useEffect, useId, useRef } from "react";
import { visibleText } from "../client/index.ts";
import { NO_CHOICE } from "../client/answers.ts";
import { isHeldOrComposed } from "./held-keys.ts";
import { OptionRow } from "./option-row.tsx";
import type { QuestionPromptModel } from "./use-question-prompt.ts";

interface OneQuestionProps {
  model: QuestionPromptModel;
  /** Its header is seen nowhere else on the card. */
  hasChip: boolean;
}

/** The question on screen, with its options and Other. */
export function OneQuestion({ model, hasChip }: OneQuestionProps) {
  const id = useId();
  /** Other was chosen before, or arrows only pass by it: then its text does not take the focus. */
  const passing = useRef(true);
  useEffect(() => {
    passing.current = false;
  }, []);
  const { step } = model;
  const question = model.questions[step];
  if (!question) return null;
  const { multiSelect } = question;
  const choice = model.choices[step] ?? NO_CHOICE;
  const error = model.card.fieldErrors[step];
  const wrong = error === undefined ? {} : { "aria-invalid": true };
  const tickable = {
    type: multiSelect ? "checkbox" : "radio",
    name: id,
    ...(multiSelect && wrong),
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only hears its options
    <fieldset
      {...(multiSelect ? {} : { role: "radiogroup", ...wrong })}
      className="bk-question"
      tabIndex={-1}
      data-beckon-options=""
      aria-describedby={error === undefined ? undefined : `${id}error`}
      onKeyDown={({ key }) => {
        passing.current = key.startsWith("Arrow");
      }}
      onKeyUp={() => {
        passing.current = false;
      }}
    >
      <legend>
        {hasChip && <span className="bk-chip">{visibleText(question.header)}</span>}{" "}
        <span className="bk-asked">{visibleText(question.question, { multiline: true })}</span>
        {multiSelect && <span className="bk-hint"> Choose one or more.</span>}
      </legend>
      {question.options.map(({ label, description, preview }, at) => (
        <OptionRow
          key={at}
          {...{ ...tickable, at, label, description }}
          checked={choice.options.includes(at)}
          onChange={() => model.choose(step, at)}
        >
          {preview !== undefined && (
            <details>
              <summary>Preview of {visibleText(label)}</summary>
              <pre>{visibleText(preview, { multiline: true })}</pre>
            </details>
          )}
        </OptionRow>
      ))}
      <OptionRow
        {...tickable}
        at={question.options.length}
        label="Other"
        checked={choice.other}
        onChange={() => model.choose(step, "other")}
      >
        {choice.other && (
          <OtherText
            label={`Other: ${visibleText(question.question)}`}
            text={choice.text}
            write={(text) => model.write(step, text)}
            passing={passing}
            onEnter={model.questions.length === 1 ? model.submit : undefined}
          />
        )}
      </OptionRow>
      {error !== undefined && (
        <p id={`${id}error`} className="bk-error">
          {visibleText(error)}
        </p>
      )}
    </fieldset>
  );
}

interface OtherTextProps {
  label: string;
  text: string;
  write: (text: string) => void;
  /** Whether it appears without the focus. */
  passing: RefObject<boolean>;
  onEnter?: () => void;
}

function OtherText({ label, text, write, passing, onEnter }: OtherTextProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!passing.current) field.current?.focus();
  }, [passing]);
  return (
    <input
      ref={field}
      type="text"
      placeholder="Your own answer"
      aria-label={label}
      value={text}
      onChange={(event) => write(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !isHeldOrComposed(event)) onEnter?.();
      }}
    />
  );
}

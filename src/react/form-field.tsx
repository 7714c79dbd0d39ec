import { useId, useState } from "react";
import { promptTitle, visibleText } from "../client/index.ts";
import { type FieldValue, isTick, ownValue } from "../client/form-values.ts";
import type { Field } from "../protocol/index.ts";
import { hasTicks } from "./use-input-form.ts";
import { isHeldOrComposed } from "./held-keys.ts";
import { LargerWindow } from "./larger-window.tsx";
import { OptionRow } from "./option-row.tsx";
import type { InputFormModel } from "./use-input-form.ts";

/** One field: its label, its control, what is said about it and what is wrong with it. */
export function FormField({ model, field }: { model: InputFormModel; field: Field }) {
  const id = useId();
  const error = ownValue(model.card.fieldErrors, field.id);
  const secret = field.type === "secret" && "Not kept: only the tool gets it.";
  // What stands in the title of the card is not drawn twice.
  const named =
    promptTitle(model.card.interaction.request) === field.label ? "bk-unseen" : undefined;
  const hint = [field.description, secret].filter(Boolean).join(" ");
  const value = ownValue(model.values, field.id) ?? "";
  const control: ControlProps = {
    field,
    value,
    set: (next) => model.setValue(field.id, next),
    onEnter: model.enterSubmits ? model.submit : undefined,
    attributes: {
      id,
      "aria-required": field.required,
      "aria-invalid": error !== undefined || undefined,
      "aria-describedby":
        [hint !== "" && `${id}hint`, error !== undefined && `${id}error`]
          .filter(Boolean)
          .join(" ") || undefined,
    },
  };
  const label = (
    <>
      {visibleText(field.label)}
      {field.required && (
        <span className="bk-required" aria-hidden="true">
          {" "}
          *
        </span>
      )}
    </>
  );
  const notes = (
    <>
      {hint !== "" && (
        <p id={`${id}hint`} className="bk-hint">
          {visibleText(hint)}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}error`} className="bk-error">
          {visibleText(error)}
        </p>
      )}
    </>
  );
  if (hasTicks(field)) {
    // What is wrong with a radio button is said of its group; a group of boxes cannot say it.
    const { "aria-describedby": described, ...state } = control.attributes;
    return (
      <fieldset
        {...(field.type === "radio" ? { role: "radiogroup", ...state, id: undefined } : {})}
        className="bk-field"
        data-beckon-field={field.type}
        data-beckon-options=""
        aria-describedby={described}
      >
        <legend className={named}>
          {label}
          {field.required && <span className="bk-hint"> (required)</span>}
        </legend>
        {notes}
        <Options {...control} />
      </fieldset>
    );
  }
  if (isTick(field))
    return (
      <div className="bk-field" data-beckon-field={field.type}>
        <label className="bk-tick">
          <input
            {...control.attributes}
            aria-required={undefined}
            type="checkbox"
            checked={value === true}
            onChange={(event) => control.set(event.target.checked)}
          />{" "}
          {label}
        </label>
        {notes}
      </div>
    );
  return (
    <div className="bk-field" data-beckon-field={field.type}>
      <label className={named} htmlFor={id}>
        {label}
      </label>
      {notes}
      <Control {...control} />
    </div>
  );
}

interface ControlProps {
  field: Field;
  value: FieldValue;
  set: (value: FieldValue) => void;
  /** What Enter does in a field of one line. */
  onEnter?: () => void;
  attributes: {
    id: string;
    "aria-required"?: boolean;
    "aria-invalid"?: boolean;
    "aria-describedby"?: string;
  };
}

function Control({ field, value, set, onEnter, attributes }: ControlProps) {
  const [type] = useState(() => inputType(field, value));
  const [larger, setLarger] = useState(false);
  const common = {
    ...attributes,
    value: String(value),
    placeholder: field.placeholder && visibleText(field.placeholder),
    onChange: (event: { target: { value: string } }) => set(event.target.value),
  };
  if (field.type === "select")
    return (
      <select {...common} {...{ placeholder: undefined }}>
        <option value="">{visibleText(field.placeholder ?? "Choose…")}</option>
        {field.options?.map((option) => (
          <option key={option.value} value={option.value}>
            {visibleText(
              option.description === undefined
                ? option.label
                : `${option.label} – ${option.description}`,
            )}
          </option>
        ))}
      </select>
    );
  if (field.type === "textarea")
    return (
      <>
        <textarea rows={4} {...common} />
        {larger ? (
          <LargerWindow
            label={field.label}
            value={String(value)}
            onChange={set}
            onClose={() => setLarger(false)}
          />
        ) : null}
        <button
          type="button"
          className="bk-larger"
          aria-label={`Larger window for ${visibleText(field.label)}`}
          onClick={() => setLarger(true)}
        >
          Larger window
        </button>
      </>
    );
  return (
    <input
      {...common}
      type={type}
      min={field.min}
      max={field.max}
      step={field.type === "number" ? (field.step ?? "any") : undefined}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key === "Enter" && !isHeldOrComposed(event)) onEnter?.();
      }}
    />
  );
}

const INPUT_TYPES: Partial<Record<Field["type"], string>> = {
  number: "number",
  date: "date",
  time: "time",
  datetime: "datetime-local",
  secret: "password",
};

/** A browser's date control shows nothing of a time with a zone, so that is edited as text. */
function inputType(field: Field, value: FieldValue): string {
  if (field.type === "datetime" && value !== "" && !/T\d\d:\d\d(:\d\d)?$/.test(String(value)))
    return "text";
  return INPUT_TYPES[field.type] ?? "text";
}

function Options({ field, value, set, attributes }: ControlProps) {
  const { id } = attributes;
  const chosen = Array.isArray(value) ? value : [value];
  return field.options?.map(({ value: given, label, description }, at) => (
    <OptionRow
      key={given}
      {...{ at, label, description }}
      aria-invalid={field.type === "radio" ? undefined : attributes["aria-invalid"]}
      type={field.type === "radio" ? "radio" : "checkbox"}
      name={id}
      checked={chosen.includes(given)}
      onChange={(event) => {
        if (field.type === "radio") set(given);
        else if (event.target.checked) set([...(chosen as string[]), given]);
        else set((chosen as string[]).filter((one) => one !== given));
      }}
    />
  ));
}

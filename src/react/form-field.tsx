import { useId, useState } from "react";
import { visibleText } from "../client/index.ts";
import type { Field } from "../protocol/index.ts";
import { type FieldValue, isList, isTick } from "./form-values.ts";
import { LargerWindow } from "./larger-window.tsx";
import type { InputFormModel } from "./use-input-form.ts";

/** One field: its label, its control, what is said about it and what is wrong with it. */
export function FormField({ model, field }: { model: InputFormModel; field: Field }) {
  const id = useId();
  const error = model.card.fieldErrors[field.id];
  const value = model.values[field.id] ?? "";
  const control: ControlProps = {
    field,
    value,
    set: (next) => model.setValue(field.id, next),
    attributes: {
      id,
      "aria-required": field.required,
      "aria-invalid": error !== undefined || undefined,
      "aria-describedby":
        [field.description !== undefined && `${id}hint`, error !== undefined && `${id}error`]
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
      {field.description !== undefined && (
        <p id={`${id}hint`} className="bk-hint">
          {visibleText(field.description)}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}error`} className="bk-error">
          {visibleText(error)}
        </p>
      )}
    </>
  );
  if (field.type === "radio" || isList(field)) {
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
        <legend>
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
        <label>
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
      <label htmlFor={id}>{label}</label>
      {notes}
      <Control {...control} />
    </div>
  );
}

interface ControlProps {
  field: Field;
  value: FieldValue;
  set: (value: FieldValue) => void;
  attributes: {
    id: string;
    "aria-required"?: boolean;
    "aria-invalid"?: boolean;
    "aria-describedby"?: string;
  };
}

function Control({ field, value, set, attributes }: ControlProps) {
  const [type] = useState(() => inputType(field, value));
  const common = {
    ...attributes,
    value: String(value),
    placeholder: field.placeholder,
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
        <LargerWindow label={field.label} value={String(value)} onChange={set} />
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
  return field.options?.map((option) => (
    <label key={option.value} className="bk-option">
      <input
        aria-invalid={field.type === "radio" ? undefined : attributes["aria-invalid"]}
        type={field.type === "radio" ? "radio" : "checkbox"}
        name={id}
        data-beckon-option=""
        checked={chosen.includes(option.value)}
        onChange={(event) => {
          if (field.type === "radio") set(option.value);
          else if (event.target.checked) set([...(chosen as string[]), option.value]);
          else set((chosen as string[]).filter((one) => one !== option.value));
        }}
      />{" "}
      <span className="bk-label">{visibleText(option.label)}</span>{" "}
      {option.description !== undefined && (
        <span className="bk-hint">{visibleText(option.description)}</span>
      )}
    </label>
  ));
}

import {
  type FieldValue,
  type FormValues,
  fromText,
  isBlank,
  isFilled,
  isList,
  isTick,
  REQUIRED,
  sectionsOf,
  toInput,
} from "../../../client/form-values.ts";
import { checkField } from "../../../core/index.ts";
import type { Field, InputSchema, Section } from "../../../protocol/index.ts";

/** One field to fill in, and the section that it stands in. */
export interface FieldStep {
  field: Field;
  section: Section;
}

export function stepsOf(schema: InputSchema): FieldStep[] {
  return sectionsOf(schema).flatMap((section) =>
    section.fields.map((field) => ({ field, section })),
  );
}

/** It is answered by choosing, not by typing. */
export function isPicked(field: Field): boolean {
  return field.type === "select" || field.type === "radio" || isTick(field) || isList(field);
}

/** What is wrong with a value, so that it is said where it is typed; the server has the last word. */
export function problemOf({ field, section }: FieldStep, value: FieldValue): string | undefined {
  if (isBlank(value)) return field.required && !section.optional ? REQUIRED : undefined;
  return checkField(field, typeof value === "string" ? fromText(field, value) : value);
}

/** What is sent of a form: of a section that may stay empty and does, nothing. */
export function inputOf(schema: InputSchema, values: FormValues): Record<string, unknown> {
  const asked = sectionsOf(schema).filter((one) => !one.optional || isFilled(one, values));
  return toInput(
    asked.flatMap(({ fields }) => fields),
    values,
  );
}

const SHAPES: Partial<Record<Field["type"], string>> = {
  date: "A date like 2030-01-31",
  time: "A time like 23:59",
  datetime: "A date and time like 2030-01-31T23:59",
  number: "A number",
  textarea: "Text",
  text: "Text",
  secret: "Text",
};

/** What may be typed into a field, in words. */
export function shapeOf(field: Field): string {
  const { min, max, minLength, maxLength, step, placeholder } = field;
  const shape = SHAPES[field.type] ?? "";
  const bounds = [
    min === undefined ? "" : ` from ${min}`,
    max === undefined ? "" : `${min === undefined ? " up" : ""} to ${max}`,
    step === undefined ? "" : `, in steps of ${step}`,
    minLength === undefined ? "" : `, at least ${minLength} characters`,
    maxLength === undefined ? "" : `, at most ${maxLength} characters`,
  ].join("");
  const isBare = bounds === "" && (shape === "Text" || shape === "");
  const example = placeholder ? `For example: ${placeholder}` : "";
  return [isBare ? "" : `${shape}${bounds}.`, example].filter((part) => part !== "").join(" ");
}

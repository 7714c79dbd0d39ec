import { checkField } from "../../../core/index.ts";
import type { Field, InputSchema, InteractionRequest, Section } from "../../../protocol/index.ts";

/** One field to fill in, and the section that it stands in. */
export interface FieldStep {
  field: Field;
  section?: Section;
}

export type Values = Record<string, unknown>;

export function stepsOf(schema: InputSchema): FieldStep[] {
  return [
    ...(schema.fields ?? []).map((field) => ({ field })),
    ...(schema.sections ?? []).flatMap((section) =>
      section.fields.map((field) => ({ field, section })),
    ),
  ];
}

export function isList({ type, options }: Field): boolean {
  return type === "multiselect" || (type === "checkbox" && options !== undefined);
}

export function isTick({ type, options }: Field): boolean {
  return type === "boolean" || (type === "checkbox" && options === undefined);
}

export function isChoice({ type }: Field): boolean {
  return type === "select" || type === "radio";
}

/** What a form begins with: what was typed before, else what the tool suggests. */
export function startValues(request: InteractionRequest, draft: Values = {}): Values {
  const schema = request.inputSchema ?? { type: "form" };
  const values: Values = {};
  for (const { field } of stepsOf(schema)) {
    const value =
      own(draft, field.id) ?? own(schema.initialValues ?? {}, field.id) ?? field.defaultValue;
    if (field.type !== "secret" && value !== undefined) values[field.id] = value;
    else if (isTick(field)) values[field.id] = false;
  }
  return values;
}

export function own(values: Values, id: string): unknown {
  return Object.hasOwn(values, id) ? values[id] : undefined;
}

export function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** What is wrong with a value, so that it is said where it is typed; the server has the last word. */
export function problemOf({ field, section }: FieldStep, value: unknown): string | undefined {
  if (!isBlank(value)) return checkField(field, value);
  return field.required && !section?.optional ? "This is required." : undefined;
}

/** Text as it was typed, as the value of its field. */
export function fromText({ type }: Field, text: string): unknown {
  if (type !== "number" || text.trim() === "") return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/** The values as they are sent: what was left empty is left out. */
export function toInput(schema: InputSchema, values: Values): Values {
  const entries = stepsOf(schema)
    .map(({ field }) => [field.id, own(values, field.id)] as const)
    .filter(([, value]) => !isBlank(value));
  return Object.fromEntries(entries);
}

/** A value for reading; a secret is not for reading. */
export function valueInWords(field: Field, value: unknown): string {
  if (isBlank(value)) return "–";
  if (field.type === "secret") return "••••••";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const label = (one: unknown) =>
    field.options?.find((option) => option.value === one)?.label ?? String(one);
  return Array.isArray(value) ? value.map(label).join(", ") : label(value);
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
  const parts = [
    min === undefined ? "" : ` from ${min}`,
    max === undefined ? "" : `${min === undefined ? " up" : ""} to ${max}`,
    step === undefined ? "" : `, in steps of ${step}`,
    minLength === undefined ? "" : `, at least ${minLength} characters`,
    maxLength === undefined ? "" : `, at most ${maxLength} characters`,
  ].join("");
  const isBare = parts === "" && (shape === "Text" || shape === "");
  const example = placeholder ? `For example: ${placeholder}` : "";
  return [isBare ? "" : `${shape}${parts}.`, example].filter((part) => part !== "").join(" ");
}

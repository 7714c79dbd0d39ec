import type { Field, FieldErrors, InputSchema, Section } from "../protocol/index.ts";
import type { InteractionView } from "./view.ts";

/** What stands in a field while it is filled in: text as typed, a tick, or the ticked values. */
export type FieldValue = string | boolean | string[];
export type FormValues = Record<string, FieldValue>;

/** The sections of a form; fields outside of any make the first, which has no title. */
export function sectionsOf(schema: InputSchema | undefined): Section[] {
  const loose = schema?.fields?.length ? [{ id: "", fields: schema.fields }] : [];
  return [...loose, ...(schema?.sections ?? [])];
}

/** The ids of the fields whose values are never kept. */
export function secretFieldIds(schema: InputSchema | undefined): string[] {
  const fields = sectionsOf(schema).flatMap((section) => section.fields);
  return fields.filter(({ type }) => type === "secret").map(({ id }) => id);
}

/** The values of a form that may be written down. */
export function withoutSecrets<Value>(
  values: Record<string, Value>,
  schema: InputSchema | undefined,
): Record<string, Value> {
  const secret = secretFieldIds(schema);
  return Object.fromEntries(
    Object.entries(values).filter(([id, value]) => !secret.includes(id) && value !== undefined),
  );
}

/** An author may call a field `constructor`, or like anything else that every object has. */
export function ownValue<Value>(values: Record<string, Value>, id: string): Value | undefined {
  return Object.hasOwn(values, id) ? values[id] : undefined;
}

/** Several options may be chosen. */
export function isList({ type, options }: Field): boolean {
  return type === "multiselect" || (type === "checkbox" && options !== undefined);
}

/** It is answered with yes or no. */
export function isTick({ type, options }: Field): boolean {
  return type === "boolean" || (type === "checkbox" && options === undefined);
}

/** What was typed before, else what the tool suggests, else what the attempt before was given. */
function startValue(field: Field, { request, previous, kept }: StartingPoint): FieldValue {
  if (field.type === "secret") return "";
  const value =
    ownValue<unknown>(kept ?? {}, field.id) ??
    ownValue(request.inputSchema?.initialValues ?? {}, field.id) ??
    ownValue(previous ?? {}, field.id) ??
    field.defaultValue;
  if (isTick(field)) return value === true;
  if (isList(field)) return Array.isArray(value) ? value.map(String) : [];
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

/** What a form begins with. `kept`: what was typed into it before. */
export type StartingPoint = Pick<InteractionView, "request" | "previous"> & { kept?: FormValues };

/** What every field of a form begins with. */
export function startValues(from: StartingPoint): FormValues {
  const fields = sectionsOf(from.request.inputSchema).flatMap((section) => section.fields);
  return Object.fromEntries(fields.map((field) => [field.id, startValue(field, from)]));
}

export function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Whether anything in a section is filled in: an optional one without is no part of the answer. */
export function isFilled({ fields }: Section, values: FormValues): boolean {
  return fields.some(({ id }) => {
    const value = ownValue(values, id);
    return value !== false && !isBlank(value);
  });
}

/** Text as it was typed, as the value of its field. What is no number stays text. */
export function fromText({ type }: Field, text: string): string | number {
  return type !== "number" || text.trim() === "" || Number.isNaN(Number(text))
    ? text
    : Number(text);
}

/** What can be told without the server: what is missing, and what is no number. */
export function findErrors(fields: Field[], values: FormValues): FieldErrors {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = ownValue(values, field.id);
      if (isBlank(value)) return field.required ? [[field.id, REQUIRED]] : [];
      return field.type === "number" && !Number.isFinite(Number(value))
        ? [[field.id, "This must be a number."]]
        : [];
    }),
  );
}

/** What is said of a field that may not stay empty. */
export const REQUIRED = "This is required.";

/** The values as the protocol has them. What was left empty is left out. */
export function toInput(fields: Field[], values: FormValues): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = ownValue(values, field.id);
      if (isBlank(value)) return [];
      return [[field.id, typeof value === "string" ? fromText(field, value) : value]];
    }),
  );
}

/** A value in words, for reading; a secret is not for reading. */
export function valueInWords(field: Field, value: unknown): string {
  if (isBlank(value)) return "–";
  if (field.type === "secret") return "••••••";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const label = (one: unknown) =>
    field.options?.find((option) => option.value === one)?.label ?? String(one);
  return Array.isArray(value) ? value.map(label).join(", ") : label(value);
}

/** What sends a form is called; one without fields only asks for a yes. */
export function submitLabel(schema: InputSchema | undefined): string {
  const isEmpty = sectionsOf(schema).every(({ fields }) => fields.length === 0);
  return schema?.submitLabel ?? (isEmpty ? "Done" : "Submit");
}

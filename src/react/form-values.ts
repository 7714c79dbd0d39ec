import type { Field, FieldErrors, InputSchema, Section } from "../protocol/index.ts";

/** What a control holds: text as typed, a tick, or the ticked values. */
export type FieldValue = string | boolean | string[];
export type FormValues = Record<string, FieldValue>;

/** The sections of a form; fields outside of any make the first, which has no title. */
export function sectionsOf(schema: InputSchema | undefined): Section[] {
  const loose = schema?.fields?.length ? [{ id: "", fields: schema.fields }] : [];
  return [...loose, ...(schema?.sections ?? [])];
}

export function isList(field: Field): boolean {
  return field.type === "multiselect" || (field.type === "checkbox" && field.options !== undefined);
}

export function isTick(field: Field): boolean {
  return field.type === "boolean" || (field.type === "checkbox" && field.options === undefined);
}

/** What was typed before, else what the tool suggests. */
export function startValue(
  field: Field,
  schema: InputSchema | undefined,
  kept: FormValues | undefined,
): FieldValue {
  if (field.type === "secret") return "";
  const own = (values: Record<string, unknown> | undefined) =>
    values && Object.hasOwn(values, field.id) ? values[field.id] : undefined;
  const value = own(kept) ?? own(schema?.initialValues) ?? field.defaultValue;
  if (isTick(field)) return value === true;
  if (isList(field)) return Array.isArray(value) ? value.map(String) : [];
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

export function isBlank(value: FieldValue | undefined): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** What can be told without the server: what is missing, and what is no number. */
export function findErrors(fields: Field[], values: FormValues): FieldErrors {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.id];
      if (isBlank(value)) return field.required ? [[field.id, "This is required."]] : [];
      return field.type === "number" && !Number.isFinite(Number(value))
        ? [[field.id, "This must be a number."]]
        : [];
    }),
  );
}

/** The values as the protocol has them. What was left empty is left out. */
export function toInput(fields: Field[], values: FormValues): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.id];
      if (isBlank(value)) return [];
      return [[field.id, field.type === "number" ? Number(value) : value]];
    }),
  );
}

/** A value in words, for reading. */
export function valueInWords(field: Field, value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const label = (one: unknown) =>
    field.options?.find((option) => option.value === one)?.label ?? String(one);
  return Array.isArray(value) ? value.map(label).join(", ") : label(value ?? "–");
}

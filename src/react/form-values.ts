import type { InteractionView } from "../client/index.ts";
import type { Field, FieldErrors, InputSchema, Section } from "../protocol/index.ts";

/** What a control holds: text as typed, a tick, or the ticked values. */
export type FieldValue = string | boolean | string[];
export type FormValues = Record<string, FieldValue>;

/** The sections of a form; fields outside of any make the first, which has no title. */
export function sectionsOf(schema: InputSchema | undefined): Section[] {
  const loose = schema?.fields?.length ? [{ id: "", fields: schema.fields }] : [];
  return [...loose, ...(schema?.sections ?? [])];
}

/** An author may call a field `constructor`, or like anything else that every object has. */
export function own<Value>(values: Record<string, Value>, id: string): Value | undefined {
  return Object.hasOwn(values, id) ? values[id] : undefined;
}

function isList(field: Field): boolean {
  return field.type === "multiselect" || (field.type === "checkbox" && field.options !== undefined);
}

/** Its options are on screen, each with a number. Those of a select are not. */
export function hasTicks(field: Field): boolean {
  return field.type === "radio" || isList(field);
}

/** Its control is one line that is typed into, where Enter has nothing else to do. */
export function isOneLine(field: Field): boolean {
  return field.type !== "textarea" && field.type !== "select" && !hasTicks(field) && !isTick(field);
}

export function isTick(field: Field): boolean {
  return field.type === "boolean" || (field.type === "checkbox" && field.options === undefined);
}

/** What was typed before, else what the tool suggests, else what the attempt before was given. */
export function startValue(
  field: Field,
  {
    request,
    previous,
    kept,
  }: Pick<InteractionView, "request" | "previous"> & {
    kept?: FormValues;
  },
): FieldValue {
  if (field.type === "secret") return "";
  const value =
    own<unknown>(kept ?? {}, field.id) ??
    own(request.inputSchema?.initialValues ?? {}, field.id) ??
    own(previous ?? {}, field.id) ??
    field.defaultValue;
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
      const value = own(values, field.id);
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
      const value = own(values, field.id);
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

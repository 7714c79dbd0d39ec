import { type Field, LIMITS } from "../../protocol/index.ts";
import { fieldPattern } from "../schema/linear-patterns.ts";
import type { Work } from "../schema/work.ts";

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** What is wrong with a value that was given for a field, in words for the person; or nothing. */
export function checkField(
  field: Field,
  value: unknown,
  matching: Work = { stepsLeft: LIMITS.patternSteps },
): string | undefined {
  switch (field.type) {
    case "text":
    case "textarea":
    case "secret":
      return typeof value === "string" ? checkText(field, value, matching) : "This must be text.";
    case "number":
      return typeof value === "number" && Number.isFinite(value)
        ? checkNumber(field, value)
        : "This must be a number.";
    case "boolean":
      return typeof value === "boolean" ? undefined : "This must be yes or no.";
    case "checkbox":
      if (field.options) return checkList(field, value);
      return typeof value === "boolean" ? undefined : "This must be yes or no.";
    case "select":
    case "radio":
      return isOffered(field, value) ? undefined : "Choose one of the options.";
    case "multiselect":
      return checkList(field, value);
    case "date":
      return isDate(value) ? checkOrder(field, value) : "This must be a date like 2030-01-31.";
    case "time":
      return typeof value === "string" && TIME.test(value)
        ? checkOrder(field, value)
        : "This must be a time like 23:59.";
    case "datetime":
      return isDateTime(value)
        ? checkOrder(field, value)
        : "This must be a date and time like 2030-01-31T23:59.";
  }
}

function checkText(field: Field, value: string, matching: Work): string | undefined {
  // Code points, as in LIMITS: what a person would count, where `length` takes an emoji for two.
  const { length } = Array.from(value);
  if (field.minLength !== undefined && length < field.minLength) {
    return `At least ${field.minLength} characters are needed.`;
  }
  if (field.maxLength !== undefined && length > field.maxLength) {
    return `At most ${field.maxLength} characters are allowed.`;
  }
  return field.pattern === undefined ? undefined : checkForm(field.pattern, value, matching);
}

/**
 * Patterns come from tools and may be hostile. This engine's time grows only with the text and
 * with the pattern; but with both, so that their product is limited for an answer as a whole.
 */
function checkForm(source: string, value: string, matching: Work): string | undefined {
  const pattern = fieldPattern(source);
  const steps = pattern.size * value.length;
  if (steps > matching.stepsLeft) {
    return "This is too long to be checked against the form that it must have. Shorten it.";
  }
  matching.stepsLeft -= steps;
  return pattern.matches(value) ? undefined : "This does not have the expected form.";
}

function checkNumber(field: Field, value: number): string | undefined {
  const min = typeof field.min === "number" ? field.min : undefined;
  const max = typeof field.max === "number" ? field.max : undefined;
  if (min !== undefined && value < min) return `This must be at least ${min}.`;
  if (max !== undefined && value > max) return `This must be at most ${max}.`;
  if (field.step !== undefined) {
    const steps = (value - (min ?? 0)) / field.step;
    if (Math.abs(steps - Math.round(steps)) > 1e-9) {
      return `This must be a multiple of ${field.step}${min ? ` counted from ${min}` : ""}.`;
    }
  }
  return undefined;
}

function checkList(field: Field, value: unknown): string | undefined {
  if (!Array.isArray(value)) return "Choose from the options.";
  if (new Set(value).size !== value.length) return "Choose each option once.";
  return value.every((one) => isOffered(field, one)) ? undefined : "Choose from the options.";
}

function isOffered(field: Field, value: unknown): boolean {
  return field.options?.some((option) => option.value === value) ?? false;
}

/** ISO text of one shape sorts as its time does. */
function checkOrder(field: Field, value: string): string | undefined {
  if (typeof field.min === "string" && value < field.min)
    return `This must be ${field.min} or later.`;
  if (typeof field.max === "string" && value > field.max)
    return `This must be ${field.max} or earlier.`;
  return undefined;
}

function isDate(value: unknown): value is string {
  const parts = typeof value === "string" ? DATE.exec(value) : null;
  if (!parts) return false;
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isDateTime(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const [date, rest = ""] = value.split("T");
  return isDate(date) && TIME.test(rest.replace(/(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})?$/, ""));
}

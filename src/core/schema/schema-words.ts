import { format as formats } from "@cfworker/json-schema";
import { schemaPattern, UnusablePattern } from "./linear-patterns.ts";
import type { Schema } from "./schema-references.ts";
import { spend, type Work } from "./work.ts";

/*
 * The keywords of JSON Schema that say something of a value itself, each with what is wrong in
 * words. Those that apply further schemas are in apply-schema.ts.
 */

export type Kind = "string" | "number" | "boolean" | "array" | "object" | "null";
export type Rule = (limit: never, value: never, work: Work) => string | undefined;

/** As many values of an `enum` are named. */
const NAMED_VALUES = 20;

export function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "string" || type === "number" || type === "boolean" || type === "object") {
    return type;
  }
  throw new Error(`A ${type} is not JSON`);
}

/** What is longer than it may be. Judged first: such a value is not looked at any further. */
export function lengthProblem(kind: Kind, schema: Schema, value: unknown): string | undefined {
  const { maxLength, maxItems, maxProperties } = schema as Record<string, number | undefined>;
  if (kind === "string" && maxLength !== undefined && isLonger(value as string, maxLength))
    return `must have at most ${maxLength} characters`;
  if (kind === "array" && maxItems !== undefined && (value as unknown[]).length > maxItems)
    return `must have at most ${counted(maxItems, "item")}`;
  if (kind !== "object" || maxProperties === undefined) return undefined;
  return Object.keys(value as object).length > maxProperties
    ? `must have at most ${counted(maxProperties, "field")}`
    : undefined;
}

const ANY: Record<string, Rule> = {
  type: (types: string | string[], value: unknown) => {
    const wanted = Array.isArray(types) ? types : [types];
    const kind = kindOf(value);
    if (wanted.includes(kind)) return undefined;
    if (wanted.includes("integer") && Number.isInteger(value)) return undefined;
    const words = wanted.map((name) => TYPES[name] ?? name).join(" or ");
    return wanted.includes("integer") && kind === "number"
      ? `must be ${words}`
      : `must be ${words}, not ${TYPES[kind]}`;
  },
  const: (constant: unknown, value: unknown, work) =>
    canonical(value, work) === canonical(constant, work)
      ? undefined
      : `must be ${shortened(JSON.stringify(constant))}`,
  enum: (values: unknown[], value: unknown, work) => {
    if (allowedBy(values).has(canonical(value, work))) return undefined;
    const named = values.slice(0, NAMED_VALUES).map((one) => shortened(JSON.stringify(one)));
    return `must be one of ${named.join(", ")}${values.length > NAMED_VALUES ? ", …" : ""}`;
  },
};

const RULES: Partial<Record<Kind, Record<string, Rule>>> = {
  string: {
    minLength: (least: number, text: string) => {
      if (least === 0 || isLonger(text, least - 1)) return undefined;
      return least === 1 ? "must not be empty" : `must have at least ${least} characters`;
    },
    pattern: (source: string, text: string, work) =>
      matches(source, text, work) ? undefined : `does not match the pattern ${source}`,
    format: (name: string, text: string, work) => {
      spend(work, text.length / TEXT_PER_STEP);
      return isOfFormat(name, text) ? undefined : `must be of the format "${name}"`;
    },
  },
  number: {
    minimum: (least: number, value: number) =>
      value < least ? `must be at least ${least}` : undefined,
    maximum: (most: number, value: number) =>
      value > most ? `must be at most ${most}` : undefined,
    exclusiveMinimum: (least: number, value: number) =>
      value <= least ? `must be more than ${least}` : undefined,
    exclusiveMaximum: (most: number, value: number) =>
      value >= most ? `must be less than ${most}` : undefined,
    multipleOf: (divisor: number, value: number) =>
      isMultiple(value, divisor) ? undefined : `must be a multiple of ${divisor}`,
  },
  array: {
    minItems: (least: number, items: unknown[]) =>
      items.length < least ? `must have at least ${counted(least, "item")}` : undefined,
    uniqueItems: (wanted: boolean, items: unknown[], work) => {
      if (!wanted) return undefined;
      const distinct = new Set(items.map((item) => canonical(item, work)));
      return distinct.size < items.length ? "must not have an item twice" : undefined;
    },
  },
  object: {
    minProperties: (least: number, value: object) =>
      Object.keys(value).length < least
        ? `must have at least ${counted(least, "field")}`
        : undefined,
  },
};

/** What a keyword says of a value of this kind, if it is one of these. */
export function ruleOf(kind: Kind, keyword: string): Rule | undefined {
  return own(RULES[kind], keyword) ?? own(ANY, keyword);
}

export function own<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Patterns that only JavaScript's own engine has (look-around, back-references) run there. */
export function matches(source: string, text: string, work: Work): boolean {
  try {
    const pattern = schemaPattern(source);
    spend(work, (pattern.size * text.length) / MATCHING_PER_STEP);
    return pattern.findsIn(text);
  } catch (error) {
    if (!(error instanceof UnusablePattern) || !error.cause) throw error;
    return new RegExp(source, "u").test(text);
  }
}

/** So many characters are compared in the time of one step; so many instructions run on one. */
const TEXT_PER_STEP = 32;
const MATCHING_PER_STEP = 20;

const allowed = new WeakMap<object, Set<string>>();

function allowedBy(values: unknown[]): Set<string> {
  const known = allowed.get(values);
  if (known) return known;
  const free = { stepsLeft: Number.POSITIVE_INFINITY };
  const texts = new Set(values.map((value) => canonical(value, free)));
  allowed.set(values, texts);
  return texts;
}

/** One text for values that are equal: the keys of objects have no order. */
function canonical(value: unknown, work: Work): string {
  const text =
    value !== null && typeof value === "object"
      ? JSON.stringify(value, (_key, part: unknown) => inOrder(part))
      : JSON.stringify(value);
  spend(work, 1 + text.length / TEXT_PER_STEP);
  return text;
}

function inOrder(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries);
}

/** The library's own check of this one can take for ever. */
const URL_FORMAT = /^(?:https?|ftp):\/\/[^\s/?#]+(?:[/?#]\S*)?$/i;

function isOfFormat(name: string, text: string): boolean {
  return name === "url" ? URL_FORMAT.test(text) : (own(formats, name)?.(text) ?? true);
}

/** Characters are code points, of which each takes one or two of `length`. */
function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}

/** Decimal fractions are no binary ones: 0.3 is three times 0.1 here. */
function isMultiple(value: number, divisor: number): boolean {
  const times = value / divisor;
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.max(1, Math.abs(times));
}

export function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}

export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

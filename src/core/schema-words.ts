import type { OutputUnit } from "@cfworker/json-schema";
import type { Issue } from "../protocol/index.ts";
import { patternOf } from "./linear-patterns.ts";

/** What the validator found at one place, as a path and plain words. */
export function inWords(error: OutputUnit): Issue {
  const path = pathOf(error.instanceLocation);
  if (error.keyword === "required") {
    const [, name = ""] = /property "(.*)"\.$/s.exec(error.error) ?? [];
    return { path: path ? `${path}.${name}` : name, message: "is required" };
  }
  return { path, message: messageOf(error) };
}

function messageOf({ keyword, error }: OutputUnit): string {
  const words = WORDS[keyword];
  return words ? words(error) : error.replace(/\.$/, "");
}

const WORDS: Readonly<Record<string, (error: string) => string>> = {
  type: typeWords,
  enum: (error) => `must be one of ${listed(error)}`,
  const: (error) => `must be ${error.slice("Instance does not match ".length, -1)}`,
  false: () => "is not a known field",
  not: () => "is not allowed",
  minLength: (error) =>
    edge(error) === "1" ? "must not be empty" : `must have at least ${edge(error)} characters`,
  maxLength: (error) => `must have at most ${edge(error)} characters`,
  minItems: (error) => `must have at least ${counted(edge(error), "item")}`,
  maxItems: (error) => `must have at most ${counted(edge(error), "item")}`,
  minProperties: (error) => `must have at least ${counted(lastNumber(error), "field")}`,
  maxProperties: (error) => `must have at most ${counted(lastNumber(error), "field")}`,
  uniqueItems: () => "must not have an item twice",
  minimum: (error) => `must be at least ${lastNumber(error)}`,
  maximum: (error) => `must be at most ${lastNumber(error)}`,
  exclusiveMinimum: (error) => `must be more than ${lastNumber(error)}`,
  exclusiveMaximum: (error) => `must be less than ${lastNumber(error)}`,
  multipleOf: (error) => `must be a multiple of ${lastNumber(error)}`,
  pattern: () => "does not match the pattern",
  format: formatWords,
};

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function typeWords(error: string): string {
  const [actual = "", ...expected] = [...error.matchAll(/"([^"]*)"/g)].map(([, name]) => name);
  const wanted = expected.map((name = "") => TYPES[name] ?? name).join(" or ");
  return actual === "number" && expected.includes("integer")
    ? `must be ${wanted}`
    : `must be ${wanted}, not ${TYPES[actual] ?? actual}`;
}

function formatWords(error: string): string {
  const [, name = ""] = /format "(.*)"\.$/s.exec(error) ?? [];
  const pattern = patternOf(name);
  return pattern === undefined
    ? `must be of the format "${name}"`
    : `does not match the pattern ${pattern}`;
}

/** Of `Instance does not match any of ["a","b"].` */
function listed(error: string): string {
  const values = JSON.parse(error.slice(error.indexOf("["), -1)) as unknown[];
  return values.map((value) => JSON.stringify(value)).join(", ");
}

/** The limit in `… (3 > 2).` */
function edge(error: string): string {
  return /([^ ]+)\)\.$/.exec(error)?.[1] ?? "";
}

function lastNumber(error: string): string {
  return [...error.matchAll(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi)].at(-1)?.[0] ?? "";
}

function counted(count: string, noun: string): string {
  return count === "1" ? `one ${noun}` : `${count} ${noun}s`;
}

/** Of a JSON pointer with a leading `#`. */
function pathOf(location: string): string {
  return location
    .split("/")
    .slice(1)
    .map((part) => decodeURI(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

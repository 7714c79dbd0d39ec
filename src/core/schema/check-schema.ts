import type { Issue } from "../../protocol/index.ts";
import { checkBySchema } from "./json-schema.ts";
import { schemaPattern, UnusablePattern } from "./linear-patterns.ts";
import { follow } from "./schema-references.ts";

/*
 * Whether something can be used as a JSON Schema at all. The validator takes everything, and a
 * slip such as `"type": "sting"` would only be noticed when every value is refused, or none is.
 */

const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];

type Check = (value: unknown, root: unknown) => string | undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === "string";

const check =
  (fits: (value: unknown) => boolean, message: string): Check =>
  (value) =>
    fits(value) ? undefined : message;

const count = check(
  (value) => Number.isInteger(value) && Number(value) >= 0,
  "must be a whole number that is not negative",
);
const number = check((value) => typeof value === "number", "must be a number");
const list = check((value) => Array.isArray(value) && value.length > 0, "must be a list of values");
const names = check(
  (value) => Array.isArray(value) && value.every(isText),
  "must be a list of names",
);
const text = check(isText, "must be text");

const KEYWORDS: Readonly<Record<string, Check>> = {
  type: checkType,
  enum: list,
  required: names,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: check(
    (value) => typeof value === "number" && value > 0,
    "must be a number above zero",
  ),
  uniqueItems: check((value) => typeof value === "boolean", "must be true or false"),
  pattern: checkPattern,
  format: text,
  title: text,
  description: text,
  $ref: checkReference,
};
const SCHEMA = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "unevaluatedItems",
  "contains",
  "not",
  "if",
  "then",
  "else",
]);
const SCHEMAS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const NAMED_SCHEMAS = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** What is wrong with a JSON Schema itself; `path` is where in it. */
export function schemaProblems(schema: unknown): Issue[] {
  const problems = problemsIn(schema, "", schema);
  return problems.length > 0 || !isObject(schema) ? problems : trialProblems(schema);
}

/** What only shows when it is used: one that refers to nothing but itself, or has a name twice. */
function trialProblems(schema: Record<string, unknown>): Issue[] {
  try {
    checkBySchema(schema, {});
    return [];
  } catch (error) {
    const [reason = ""] = String(error instanceof Error ? error.message : error).split("\n");
    return [{ path: "", message: `cannot be used: ${reason}` }];
  }
}

function problemsIn(schema: unknown, path: string, root: unknown): Issue[] {
  if (typeof schema === "boolean") return [];
  if (!isObject(schema)) return [{ path, message: "must be a schema: an object, true or false" }];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keywordProblems(keyword, value, path ? `${path}.${keyword}` : keyword, root),
  );
}

function keywordProblems(keyword: string, value: unknown, path: string, root: unknown): Issue[] {
  if (Object.hasOwn(KEYWORDS, keyword)) {
    const message = KEYWORDS[keyword]?.(value, root);
    return message === undefined ? [] : [{ path, message }];
  }
  if (SCHEMA.has(keyword)) return problemsIn(value, path, root);
  if (SCHEMAS.has(keyword)) {
    if (!Array.isArray(value) || value.length === 0) {
      return [{ path, message: "must be a list of schemas" }];
    }
    return value.flatMap((one, index) => problemsIn(one, `${path}.${index}`, root));
  }
  if (NAMED_SCHEMAS.has(keyword)) {
    if (!isObject(value)) return [{ path, message: "must be an object of schemas" }];
    if (keyword === "patternProperties") {
      const wrong = Object.keys(value).find((source) => checkPattern(source) !== undefined);
      if (wrong !== undefined)
        return [{ path: `${path}.${wrong}`, message: checkPattern(wrong) ?? "" }];
    }
    return Object.entries(value).flatMap(([name, one]) => problemsIn(one, `${path}.${name}`, root));
  }
  return [];
}

function checkType(value: unknown): string | undefined {
  const given = Array.isArray(value) ? value : [value];
  const fits = given.length > 0 && given.every((one) => TYPES.includes(one as string));
  return fits ? undefined : `must be one of ${TYPES.join(", ")}, or a list of them`;
}

function checkPattern(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be text";
  try {
    void RegExp(value, "u");
  } catch {
    return "must be a regular expression";
  }
  return patternProblem(value);
}

/** One that only JavaScript's own engine has is let through; one that is too large is not. */
function patternProblem(source: string): string | undefined {
  try {
    schemaPattern(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnusablePattern)) throw error;
    return error.cause ? undefined : error.message;
  }
}

/** Only what stands in the same schema can be referred to: nothing is fetched. */
function checkReference(value: unknown, root: unknown): string | undefined {
  if (typeof value !== "string") return "must be text";
  if (!value.startsWith("#"))
    return 'must begin with "#": it can only name a part of the same schema';
  if (isObject(root) && ("$id" in root || !/^#(\/|$)/.test(value))) return undefined;
  const part = follow(root, value.slice(1));
  return part === undefined ? "names a part that this schema does not have" : undefined;
}

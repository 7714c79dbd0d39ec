import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { FieldErrors, Issue } from "../protocol/index.ts";
import { withLinearPatterns } from "./linear-patterns.ts";
import { inWords } from "./schema-words.ts";

/** What is wrong with a value by a JSON Schema: each part that is, with what is wrong with it. */
export function schemaIssues(schema: Record<string, unknown>, value: unknown): Issue[] {
  const { valid, errors } = validatorOf(schema).validate(value ?? null);
  if (valid) return [];
  const messages = new Map<string, Set<string>>();
  for (const { path, message } of leavesOf(errors)) {
    messages.set(path, (messages.get(path) ?? new Set()).add(message));
  }
  return [...messages].map(([path, all]) => ({ path, message: [...all].join(", and ") }));
}

/** The same, by the path of the part. */
export function schemaErrors(schema: Record<string, unknown>, value: unknown): FieldErrors {
  return Object.fromEntries(
    schemaIssues(schema, value).map(({ path, message }) => [path, message]),
  );
}

/** As they read in a sentence. */
export function listIssues(issues: Issue[]): string {
  return issues.map(({ path, message }) => (path ? `${path} ${message}` : message)).join("; ");
}

const validators = new WeakMap<object, Validator>();

function validatorOf(schema: Record<string, unknown>): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const linear = withLinearPatterns(schema) as Record<string, unknown>;
  const validator = new Validator(linear, "2020-12", false);
  validators.set(schema, validator);
  return validator;
}

/** These repeat at each level that something inside it is wrong. */
const WRAPPERS = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "unevaluatedItems",
  "allOf",
  "if",
  "$ref",
  "dependentSchemas",
]);
/** What is wrong inside of these is wrong in one of several ways. */
const CHOICES = new Set(["anyOf", "oneOf", "contains", "propertyNames"]);

function leavesOf(errors: OutputUnit[]): Issue[] {
  const issues: Issue[] = [];
  for (let index = 0; index < errors.length; index++) {
    const error = errors[index] as OutputUnit;
    if (CHOICES.has(error.keyword)) {
      const inside = errorsInside(error, errors.slice(index + 1));
      issues.push(choiceIssue(error, inside));
      index += inside.length;
    } else if (!WRAPPERS.has(error.keyword)) {
      issues.push(inWords(error));
    }
  }
  return issues;
}

/** The errors that follow a choice and belong to it. */
function errorsInside(choice: OutputUnit, following: OutputUnit[]): OutputUnit[] {
  const end = following.findIndex(
    ({ keyword, keywordLocation }) =>
      // An error of `false` says where it is in the value, not in the schema.
      keyword !== "false" && !keywordLocation.startsWith(`${choice.keywordLocation}/`),
  );
  return end === -1 ? following : following.slice(0, end);
}

function choiceIssue(choice: OutputUnit, inside: OutputUnit[]): Issue {
  const issue = inWords(choice);
  if (choice.keyword !== "anyOf" && choice.keyword !== "oneOf") return issue;
  if (!/\(0 matches\)|any subschemas/.test(choice.error)) {
    return { ...issue, message: "fits more than one of the allowed forms" };
  }
  const nearest = nearestBranch(choice, inside);
  const hint = nearest.length > 0 ? ` (the nearest wants: ${listIssues(nearest)})` : "";
  return { ...issue, message: `fits none of the allowed forms${hint}` };
}

/** Of the forms that a value could have had, what is wrong by the one that is wrong at least. */
function nearestBranch(choice: OutputUnit, inside: OutputUnit[]): Issue[] {
  const branches = new Map<string, OutputUnit[]>();
  let branch = "";
  for (const error of inside) {
    const location = error.keywordLocation.slice(choice.keywordLocation.length + 1);
    if (error.keyword !== "false") branch = location.split("/")[0] ?? "";
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const found = [...branches.values()].map(leavesOf);
  // A value of the wrong type altogether is further away than one with something missing.
  const distance = (issues: Issue[]) =>
    issues.length + (issues.some(({ message }) => message.includes(", not ")) ? 10 : 0);
  return found.sort((one, other) => distance(one) - distance(other))[0] ?? [];
}

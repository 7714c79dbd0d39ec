import { type FieldErrors, type Issue, LIMITS } from "../../protocol/index.ts";
import { apply } from "./apply-schema.ts";
import { referencesOf, type Resolve, type Schema } from "./schema-references.ts";
import { TooMuchWork } from "./work.ts";

export { listIssues } from "./nearest-form.ts";

/**
 * What is wrong with a value by a JSON Schema: each part that is, with what is wrong with it, and
 * no more than twenty. The steps of a check are limited, whatever the schema and the value are; a
 * value that cannot be checked is wrong.
 */
export function schemaIssues(schema: Schema, value: unknown): Issue[] {
  try {
    return checkBySchema(schema, value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ path: "", message: `cannot be checked: ${reason}` }];
  }
}

/** The same, by the path of the part. */
export function schemaErrors(schema: Schema, value: unknown): FieldErrors {
  return Object.fromEntries(
    schemaIssues(schema, value).map(({ path, message }) => [path, message]),
  );
}

/** As `schemaIssues`, but throws if the schema cannot be used. */
export function checkBySchema(schema: Schema, value: unknown): Issue[] {
  const issues: Issue[] = [];
  const work = { stepsLeft: LIMITS.schemaSteps };
  try {
    apply(schema, value ?? null, { path: "", depth: 0, issues, resolve: resolverOf(schema), work });
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    // What was found before is reason enough.
    if (issues.length === 0) issues.push({ path: "", message: TOO_LARGE });
  }
  return byPath(issues);
}

const TOO_LARGE = `would take more than ${LIMITS.schemaSteps} steps to check: send less at once`;

function byPath(issues: Issue[]): Issue[] {
  const messages = new Map<string, Set<string>>();
  for (const { path, message } of issues) {
    messages.set(path, (messages.get(path) ?? new Set()).add(message));
  }
  return [...messages].map(([path, all]) => ({ path, message: [...all].join(", and ") }));
}

const resolvers = new WeakMap<object, Resolve>();

function resolverOf(schema: Schema): Resolve {
  const known = resolvers.get(schema);
  if (known) return known;
  const resolve = referencesOf(schema);
  resolvers.set(schema, resolve);
  return resolve;
}

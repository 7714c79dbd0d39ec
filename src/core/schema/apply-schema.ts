import type { Issue } from "../../protocol/index.ts";
import { nearestOf } from "./nearest-form.ts";
import {
  counted,
  type Kind,
  kindOf,
  lengthProblem,
  matches,
  own,
  type Rule,
  ruleOf,
  shortened,
} from "./schema-words.ts";
import type { Resolve, Schema } from "./schema-references.ts";
import { spend, type Work } from "./work.ts";

/** As many issues are told; there is no use in more. */
const ISSUES = 20;
/** Schemas in schemas, each referring to the next: far more than anybody writes. */
const DEPTH = 500;

/** A value that a schema is applied to, and what was found so far. */
interface Visit {
  path: string;
  depth: number;
  issues: Issue[];
  resolve: Resolve;
  work: Work;
  /** Names and indexes that a schema has spoken of, where an `unevaluated…` has to know. */
  seen?: Set<string> | undefined;
}

type Applicator = (part: never, value: never, visit: Visit, schema: Schema) => void;

/** Whether a value fits a schema; what does not is put into the visit's issues. */
export function apply(schema: unknown, value: unknown, visit: Visit): boolean {
  spend(visit.work, 1);
  if (schema === true) return true;
  const before = visit.issues.length;
  if (schema === false) {
    report(visit, "is not a known field");
    return false;
  }
  if (visit.depth > DEPTH) throw new Error("it refers to itself without end");
  const keywords = schema as Schema;
  const kind = kindOf(value);
  const tooLong = lengthProblem(kind, keywords, value);
  if (tooLong !== undefined) {
    report(visit, tooLong);
    return false;
  }
  const plan = planOf(keywords, kind);
  for (const [rule, limit] of plan.rules) {
    const message = rule(limit as never, value as never, visit.work);
    if (message !== undefined) report(visit, message);
  }
  const inside = plan.tracks && !visit.seen ? { ...visit, seen: new Set<string>() } : visit;
  for (const [applicator, part] of plan.applicators) {
    if (isFull(visit)) break;
    applicator(part as never, value as never, inside, keywords);
  }
  return visit.issues.length === before;
}

/** What a schema says of values of one kind, found once: most of all keywords stand in none. */
interface Plan {
  rules: [Rule, limit: unknown][];
  applicators: [Applicator, part: unknown][];
  tracks: boolean;
}

const plans = new WeakMap<Schema, Partial<Record<Kind, Plan>>>();

function planOf(schema: Schema, kind: Kind): Plan {
  let known = plans.get(schema);
  if (!known) plans.set(schema, (known = {}));
  return (known[kind] ??= makePlan(schema, kind));
}

function makePlan(schema: Schema, kind: Kind): Plan {
  const plan: Plan = {
    rules: [],
    applicators: [],
    tracks: "unevaluatedProperties" in schema || "unevaluatedItems" in schema,
  };
  for (const keyword in schema) {
    const rule = ruleOf(kind, keyword);
    if (rule) plan.rules.push([rule, schema[keyword]]);
  }
  for (const [keyword, applicator] of APPLICATORS[kind] ?? ANY) {
    if (schema[keyword] !== undefined) plan.applicators.push([applicator, schema[keyword]]);
  }
  return plan;
}

/** The same value by another schema. What it speaks of counts only if the value fits. */
function same(schema: unknown, value: unknown, visit: Visit, issues = visit.issues): boolean {
  const seen = visit.seen && new Set<string>();
  const fits = apply(schema, value, { ...visit, depth: visit.depth + 1, issues, seen });
  if (fits) for (const name of seen ?? []) visit.seen?.add(name);
  return fits;
}

/** A part of the value by a schema of its own. */
function part(schema: unknown, value: unknown, name: string | number, visit: Visit): boolean {
  const step = shortened(String(name));
  const path = visit.path ? `${visit.path}.${step}` : step;
  visit.seen?.add(String(name));
  const { depth, issues, resolve, work } = visit;
  return apply(schema, value, { path, depth: depth + 1, issues, resolve, work });
}

function report(visit: Visit, message: string): void {
  visit.issues.push({ path: visit.path, message });
}

const isFull = (visit: Visit) => visit.issues.length >= ISSUES;

const ANY: [string, Applicator][] = [
  ["$ref", refer],
  ["$dynamicRef", refer],
  ["$recursiveRef", refer],
  [
    "not",
    (schema: unknown, value, visit) => {
      if (same(schema, value, { ...visit, seen: undefined }, [])) report(visit, "is not allowed");
    },
  ],
  ["anyOf", (forms: unknown[], value, visit) => void fitting(forms, value, visit)],
  [
    "allOf",
    (schemas: unknown[], value, visit) => {
      for (const schema of schemas) same(schema, value, visit);
    },
  ],
  [
    "oneOf",
    (forms: unknown[], value, visit) => {
      if (fitting(forms, value, visit) > 1)
        report(visit, "fits more than one of the allowed forms");
    },
  ],
  [
    "if",
    (condition: unknown, value, visit, schema) => {
      const next = same(condition, value, visit, []) ? schema.then : schema.else;
      if (next !== undefined) same(next, value, visit);
    },
  ],
];

function refer(reference: string, value: unknown, visit: Visit, schema: Schema): void {
  same(visit.resolve(schema, reference), value, visit);
}

/** How many of several forms a value has. If it has none, the nearest is told. */
function fitting(forms: unknown[], value: unknown, visit: Visit): number {
  const failed: Issue[][] = [];
  for (const form of forms) {
    const issues: Issue[] = [];
    if (!same(form, value, visit, issues)) failed.push(issues);
  }
  const count = forms.length - failed.length;
  if (count === 0) report(visit, `fits none of the allowed forms${nearestOf(failed)}`);
  return count;
}

type Fields = Record<string, unknown>;

const OBJECT: [string, Applicator][] = [
  [
    "required",
    (names: string[], value: Fields, visit) => {
      for (const name of names) {
        if (isFull(visit)) return;
        if (Object.hasOwn(value, name)) continue;
        const path = visit.path ? `${visit.path}.${name}` : name;
        visit.issues.push({ path, message: "is required" });
      }
    },
  ],
  ["dependentRequired", dependent],
  ["dependentSchemas", dependent],
  ["dependencies", dependent],
  [
    "propertyNames",
    (schema: unknown, value: Fields, visit) => {
      const wrong = Object.keys(value).find(
        (name) => !same(schema, name, { ...visit, seen: undefined }, []),
      );
      if (wrong !== undefined)
        report(visit, `has a field whose name is not allowed: ${shortened(JSON.stringify(wrong))}`);
    },
  ],
  [
    "properties",
    (schemas: Fields, value: Fields, visit) => {
      for (const name in schemas) {
        if (isFull(visit)) return;
        if (Object.hasOwn(value, name)) part(schemas[name], value[name], name, visit);
      }
    },
  ],
  [
    "patternProperties",
    (schemas: Fields, value: Fields, visit) => {
      for (const [source, schema] of Object.entries(schemas)) {
        for (const [name, one] of Object.entries(value)) {
          if (isFull(visit)) return;
          spend(visit.work, 1);
          if (matches(source, name, visit.work)) part(schema, one, name, visit);
        }
      }
    },
  ],
  [
    "additionalProperties",
    (schema: unknown, value: Fields, visit, { properties, patternProperties }) => {
      const patterns = patternProperties ? Object.keys(patternProperties) : [];
      for (const name of Object.keys(value)) {
        if (isFull(visit)) return;
        if (own(properties as Fields | undefined, name) !== undefined) continue;
        if (patterns.some((source) => matches(source, name, visit.work))) continue;
        part(schema, value[name], name, visit);
      }
    },
  ],
  [
    "unevaluatedProperties",
    (schema: unknown, value: Fields, visit) => {
      for (const [name, one] of Object.entries(value)) {
        if (isFull(visit)) return;
        if (!visit.seen?.has(name)) part(schema, one, name, visit);
      }
    },
  ],
];

/** What is asked of an object only if it has a certain field: further fields, or a schema. */
function dependent(wanted: Fields, value: Fields, visit: Visit): void {
  for (const [name, need] of Object.entries(wanted)) {
    if (isFull(visit) || !Object.hasOwn(value, name)) continue;
    if (!Array.isArray(need)) {
      same(need, value, visit);
      continue;
    }
    const missing = need.filter((other: string) => !Object.hasOwn(value, other));
    if (missing.length > 0) report(visit, `needs ${missing.join(", ")} beside ${name}`);
  }
}

const ARRAY: [string, Applicator][] = [
  ["prefixItems", (schemas: unknown[], items: unknown[], visit) => first(schemas, items, visit)],
  [
    "items",
    (schema: unknown, items: unknown[], visit, { prefixItems, additionalItems }) => {
      // A list of schemas is how drafts before 2020-12 write `prefixItems`.
      if (Array.isArray(schema)) {
        first(schema, items, visit);
        if (additionalItems !== undefined) rest(additionalItems, items, visit, schema.length);
      } else {
        rest(schema, items, visit, (prefixItems as unknown[] | undefined)?.length ?? 0);
      }
    },
  ],
  [
    "contains",
    (schema: unknown, items: unknown[], visit, { minContains = 1, maxContains }) => {
      let count = 0;
      for (const [index, item] of items.entries()) {
        if (!apply(schema, item, { ...visit, depth: visit.depth + 1, issues: [], seen: undefined }))
          continue;
        count += 1;
        visit.seen?.add(String(index));
      }
      const form = "of the form that it must contain";
      if (count < (minContains as number))
        report(visit, `must have at least ${counted(minContains as number, "item")} ${form}`);
      if (maxContains !== undefined && count > (maxContains as number))
        report(visit, `must have at most ${counted(maxContains as number, "item")} ${form}`);
    },
  ],
  [
    "unevaluatedItems",
    (schema: unknown, items: unknown[], visit) => {
      for (const [index, item] of items.entries()) {
        if (isFull(visit)) return;
        if (!visit.seen?.has(String(index))) part(schema, item, index, visit);
      }
    },
  ],
];

function first(schemas: unknown[], items: unknown[], visit: Visit): void {
  for (const [index, schema] of schemas.slice(0, items.length).entries()) {
    if (!isFull(visit)) part(schema, items[index], index, visit);
  }
}

function rest(schema: unknown, items: unknown[], visit: Visit, from: number): void {
  for (let index = from; index < items.length && !isFull(visit); index++) {
    part(schema, items[index], index, visit);
  }
}

const APPLICATORS: Partial<Record<Kind, [string, Applicator][]>> = {
  object: [...ANY, ...OBJECT],
  array: [...ANY, ...ARRAY],
};

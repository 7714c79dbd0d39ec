import type { Issue } from "../protocol/index.ts";
import { nearestOf } from "./nearest-form.ts";
import {
  counted,
  type Kind,
  kindOf,
  lengthProblem,
  matches,
  own,
  ruleOf,
  shortened,
} from "./schema-rules.ts";
import type { Resolve, Schema } from "./schema-references.ts";
import { spend, type Work } from "./work.ts";

/** As many issues are told; there is no use in more. */
const ISSUES = 20;
/** Schemas in schemas, each referring to the next: far more than anybody writes. */
const DEPTH = 500;

/** A value that a schema is applied to, and what was found so far. */
interface Place {
  path: string;
  depth: number;
  issues: Issue[];
  resolve: Resolve;
  work: Work;
  /** Names and indexes that a schema has spoken of, where an `unevaluated…` has to know. */
  seen?: Set<string> | undefined;
}

type Applicator = (part: never, value: never, place: Place, schema: Schema) => void;

/** Whether a value fits a schema; what does not is put into the place's issues. */
export function apply(schema: unknown, value: unknown, place: Place): boolean {
  spend(place.work, 1);
  if (schema === true) return true;
  const before = place.issues.length;
  if (schema === false) {
    report(place, "is not a known field");
    return false;
  }
  if (place.depth > DEPTH) throw new Error("it refers to itself without end");
  const keywords = schema as Schema;
  const kind = kindOf(value);
  const tooLong = lengthProblem(kind, keywords, value);
  if (tooLong !== undefined) {
    report(place, tooLong);
    return false;
  }
  for (const keyword in keywords) {
    const rule = ruleOf(kind, keyword);
    const message = rule?.(keywords[keyword] as never, value as never, place.work);
    if (message !== undefined) report(place, message);
  }
  const tracks = "unevaluatedProperties" in keywords || "unevaluatedItems" in keywords;
  const inside = tracks && !place.seen ? { ...place, seen: new Set<string>() } : place;
  for (const [keyword, applicator] of APPLICATORS[kind] ?? ANY) {
    if (keywords[keyword] === undefined) continue;
    if (isFull(place)) break;
    applicator(keywords[keyword] as never, value as never, inside, keywords);
  }
  return place.issues.length === before;
}

/** The same value by another schema. What it speaks of counts only if the value fits. */
function same(schema: unknown, value: unknown, place: Place, issues = place.issues): boolean {
  const seen = place.seen && new Set<string>();
  const fits = apply(schema, value, { ...place, depth: place.depth + 1, issues, seen });
  if (fits) for (const name of seen ?? []) place.seen?.add(name);
  return fits;
}

/** A part of the value by a schema of its own. */
function part(schema: unknown, value: unknown, name: string | number, place: Place): boolean {
  const step = shortened(String(name));
  const path = place.path ? `${place.path}.${step}` : step;
  place.seen?.add(String(name));
  return apply(schema, value, { ...place, depth: place.depth + 1, path, seen: undefined });
}

function report(place: Place, message: string): void {
  place.issues.push({ path: place.path, message });
}

const isFull = (place: Place) => place.issues.length >= ISSUES;

const ANY: [string, Applicator][] = [
  ["$ref", refer],
  ["$dynamicRef", refer],
  ["$recursiveRef", refer],
  [
    "not",
    (schema: unknown, value, place) => {
      if (same(schema, value, { ...place, seen: undefined }, [])) report(place, "is not allowed");
    },
  ],
  ["anyOf", (forms: unknown[], value, place) => void fitting(forms, value, place)],
  [
    "allOf",
    (schemas: unknown[], value, place) => {
      for (const schema of schemas) same(schema, value, place);
    },
  ],
  [
    "oneOf",
    (forms: unknown[], value, place) => {
      if (fitting(forms, value, place) > 1)
        report(place, "fits more than one of the allowed forms");
    },
  ],
  [
    "if",
    (condition: unknown, value, place, schema) => {
      const next = same(condition, value, place, []) ? schema.then : schema.else;
      if (next !== undefined) same(next, value, place);
    },
  ],
];

function refer(reference: string, value: unknown, place: Place, schema: Schema): void {
  same(place.resolve(schema, reference), value, place);
}

/** How many of several forms a value has. If it has none, the nearest is told. */
function fitting(forms: unknown[], value: unknown, place: Place): number {
  const failed: Issue[][] = [];
  for (const form of forms) {
    const issues: Issue[] = [];
    if (!same(form, value, place, issues)) failed.push(issues);
  }
  const count = forms.length - failed.length;
  if (count === 0) report(place, `fits none of the allowed forms${nearestOf(failed)}`);
  return count;
}

type Fields = Record<string, unknown>;

const OBJECT: [string, Applicator][] = [
  [
    "required",
    (names: string[], value: Fields, place) => {
      for (const name of names) {
        if (isFull(place)) return;
        if (Object.hasOwn(value, name)) continue;
        const path = place.path ? `${place.path}.${name}` : name;
        place.issues.push({ path, message: "is required" });
      }
    },
  ],
  ["dependentRequired", dependent],
  ["dependentSchemas", dependent],
  ["dependencies", dependent],
  [
    "propertyNames",
    (schema: unknown, value: Fields, place) => {
      const wrong = Object.keys(value).find(
        (name) => !same(schema, name, { ...place, seen: undefined }, []),
      );
      if (wrong !== undefined)
        report(place, `has a field whose name is not allowed: ${shortened(JSON.stringify(wrong))}`);
    },
  ],
  [
    "properties",
    (schemas: Fields, value: Fields, place) => {
      for (const [name, schema] of Object.entries(schemas)) {
        if (isFull(place)) return;
        if (Object.hasOwn(value, name)) part(schema, value[name], name, place);
      }
    },
  ],
  [
    "patternProperties",
    (schemas: Fields, value: Fields, place) => {
      for (const [source, schema] of Object.entries(schemas)) {
        for (const [name, one] of Object.entries(value)) {
          if (isFull(place)) return;
          spend(place.work, 1);
          if (matches(source, name, place.work)) part(schema, one, name, place);
        }
      }
    },
  ],
  [
    "additionalProperties",
    (schema: unknown, value: Fields, place, { properties, patternProperties }) => {
      const patterns = Object.keys((patternProperties as Fields | undefined) ?? {});
      for (const [name, one] of Object.entries(value)) {
        if (isFull(place)) return;
        if (own(properties as Fields | undefined, name) !== undefined) continue;
        if (patterns.some((source) => matches(source, name, place.work))) continue;
        part(schema, one, name, place);
      }
    },
  ],
  [
    "unevaluatedProperties",
    (schema: unknown, value: Fields, place) => {
      for (const [name, one] of Object.entries(value)) {
        if (isFull(place)) return;
        if (!place.seen?.has(name)) part(schema, one, name, place);
      }
    },
  ],
];

/** What is asked of an object only if it has a certain field: further fields, or a schema. */
function dependent(wanted: Fields, value: Fields, place: Place): void {
  for (const [name, need] of Object.entries(wanted)) {
    if (isFull(place) || !Object.hasOwn(value, name)) continue;
    if (!Array.isArray(need)) {
      same(need, value, place);
      continue;
    }
    const missing = need.filter((other: string) => !Object.hasOwn(value, other));
    if (missing.length > 0) report(place, `needs ${missing.join(", ")} beside ${name}`);
  }
}

const ARRAY: [string, Applicator][] = [
  ["prefixItems", (schemas: unknown[], items: unknown[], place) => first(schemas, items, place)],
  [
    "items",
    (schema: unknown, items: unknown[], place, { prefixItems, additionalItems }) => {
      // A list of schemas is how drafts before 2020-12 write `prefixItems`.
      if (Array.isArray(schema)) {
        first(schema, items, place);
        if (additionalItems !== undefined) rest(additionalItems, items, place, schema.length);
      } else {
        rest(schema, items, place, (prefixItems as unknown[] | undefined)?.length ?? 0);
      }
    },
  ],
  [
    "contains",
    (schema: unknown, items: unknown[], place, { minContains = 1, maxContains }) => {
      let count = 0;
      for (const [index, item] of items.entries()) {
        if (!apply(schema, item, { ...place, depth: place.depth + 1, issues: [], seen: undefined }))
          continue;
        count += 1;
        place.seen?.add(String(index));
      }
      const form = "of the form that it must contain";
      if (count < (minContains as number))
        report(place, `must have at least ${counted(minContains as number, "item")} ${form}`);
      if (maxContains !== undefined && count > (maxContains as number))
        report(place, `must have at most ${counted(maxContains as number, "item")} ${form}`);
    },
  ],
  [
    "unevaluatedItems",
    (schema: unknown, items: unknown[], place) => {
      for (const [index, item] of items.entries()) {
        if (isFull(place)) return;
        if (!place.seen?.has(String(index))) part(schema, item, index, place);
      }
    },
  ],
];

function first(schemas: unknown[], items: unknown[], place: Place): void {
  for (const [index, schema] of schemas.slice(0, items.length).entries()) {
    if (!isFull(place)) part(schema, items[index], index, place);
  }
}

function rest(schema: unknown, items: unknown[], place: Place, from: number): void {
  for (let index = from; index < items.length && !isFull(place); index++) {
    part(schema, items[index], index, place);
  }
}

const APPLICATORS: Partial<Record<Kind, [string, Applicator][]>> = {
  object: [...ANY, ...OBJECT],
  array: [...ANY, ...ARRAY],
};

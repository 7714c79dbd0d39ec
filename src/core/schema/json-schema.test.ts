import { expect, test } from "vitest";
import { schemaProblems } from "./check-schema.ts";
import { listIssues, schemaIssues } from "./json-schema.ts";

const property = (schema: unknown, value: unknown) =>
  listIssues(schemaIssues({ type: "object", properties: { it: schema } }, { it: value }));

test.each<[unknown, unknown, string]>([
  [{ type: "string" }, 3, "it must be text, not a number"],
  [{ type: "integer" }, 1.5, "it must be a whole number"],
  [{ type: ["string", "null"] }, [], "it must be text or null, not a list"],
  [{ enum: ["a", 2] }, "b", 'it must be one of "a", 2'],
  [{ const: "a" }, "b", 'it must be "a"'],
  [{ minLength: 1 }, "", "it must not be empty"],
  [{ minLength: 3 }, "ab", "it must have at least 3 characters"],
  [{ maxLength: 1 }, "ab", "it must have at most 1 characters"],
  [{ minItems: 1 }, [], "it must have at least one item"],
  [{ maxItems: 2 }, [1, 2, 3], "it must have at most 2 items"],
  [{ uniqueItems: true }, [1, 1], "it must not have an item twice"],
  [{ minimum: -1.5 }, -2, "it must be at least -1.5"],
  [{ maximum: 2 }, 3, "it must be at most 2"],
  [{ exclusiveMinimum: 0 }, 0, "it must be more than 0"],
  [{ exclusiveMaximum: 5 }, 5, "it must be less than 5"],
  [{ multipleOf: 5 }, 3, "it must be a multiple of 5"],
  [{ pattern: "^a+$" }, "b", "it does not match the pattern ^a+$"],
  [{ format: "email" }, "b", 'it must be of the format "email"'],
  [{ not: {} }, "b", "it is not allowed"],
  [{ items: { type: "string" } }, ["a", 1], "it.1 must be text, not a number"],
  [{ minProperties: 1 }, {}, "it must have at least one field"],
  [
    { properties: { "a/b": { type: "number" } } },
    { "a/b": "x" },
    "it.a/b must be a number, not text",
  ],
  [
    { anyOf: [{ type: "string" }, { type: "object", required: ["name"] }] },
    {},
    "it fits none of the allowed forms (the nearest wants: it.name is required)",
  ],
  [{ oneOf: [{ type: "string" }, {}] }, "x", "it fits more than one of the allowed forms"],
])("a value that does not fit %j is told what is wrong with it", (schema, value, words) => {
  expect(property(schema, value)).toBe(words);
});

test("every field that is wrong is named, with what is missing and what is unknown", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string" },
      tags: { type: "array", items: { $ref: "#/$defs/tag" } },
    },
    required: ["name", "size"],
    additionalProperties: false,
    $defs: { tag: { type: "string", minLength: 2 } },
  };
  expect(schemaIssues(schema, { name: 1, tags: ["ok", "x"], colour: "red" })).toEqual([
    { path: "size", message: "is required" },
    { path: "name", message: "must be text, not a number" },
    { path: "tags.1", message: "must have at least 2 characters" },
    { path: "colour", message: "is not a known field" },
  ]);
  expect(schemaIssues({ ...schema, required: ["name"] }, { name: "a" })).toEqual([]);
});

test("nothing at all is checked as null", () => {
  expect(schemaIssues({ type: "object" }, undefined)).toEqual([
    { path: "", message: "must be an object, not null" },
  ]);
});

test.each<[unknown, string, RegExp]>([
  [{ type: "sting" }, "type", /^must be one of string, number/],
  [{ properties: { a: { type: "text" } } }, "properties.a.type", /must be one of/],
  [{ properties: [] }, "properties", /an object of schemas/],
  [{ items: [{ type: "string" }] }, "items", /must be a schema/],
  [{ required: "name" }, "required", /list of names/],
  [{ minLength: -1 }, "minLength", /not negative/],
  [{ maximum: "3" }, "maximum", /a number/],
  [{ enum: [] }, "enum", /list of values/],
  [{ pattern: "(" }, "pattern", /regular expression/],
  [{ pattern: ".{0,999}".repeat(3) }, "pattern", /^is too large: it stands for about 5998 steps/],
  [{ patternProperties: { "(": true } }, "patternProperties.(", /regular expression/],
  [{ anyOf: {} }, "anyOf", /list of schemas/],
  [{ anyOf: [{ minimum: null }] }, "anyOf.0.minimum", /a number/],
  [{ $ref: "https://example.com/schema.json" }, "$ref", /same schema/],
  [{ $ref: "#/$defs/missing" }, "$ref", /does not have/],
  ["object", "", /must be a schema/],
  [{ $ref: "#" }, "", /^cannot be used: it refers to itself without end/],
  [{ $ref: "#nowhere" }, "", /^cannot be used: Unresolved \$ref/],
])("a schema that cannot be meant is noticed: %j", (schema, path, message) => {
  expect(schemaProblems(schema)).toEqual([{ path, message: expect.stringMatching(message) }]);
});

test("a sound schema has no problems, whatever names its fields have", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { type: { type: "string", default: 3, examples: [{ type: "x" }] }, required: true },
    additionalProperties: { $ref: "#/$defs/one" },
    $defs: { one: { anyOf: [{ type: ["integer", "null"] }, { const: { minLength: -1 } }] } },
    "x-own": 1,
  };
  expect(schemaProblems(schema)).toEqual([]);
});

import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LIMITS } from "../../protocol/index.ts";
import { listIssues, schemaIssues } from "./json-schema.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const TOO_LARGE = `would take more than ${LIMITS.schemaSteps} steps to check: send less at once`;

test("items that must differ are compared in one pass", () => {
  const schema = { type: "array", uniqueItems: true };
  expect(schemaIssues(schema, numbers(40_000))).toEqual([]);
  expect(listIssues(schemaIssues(schema, [...numbers(40_000), 7]))).toBe(
    "must not have an item twice",
  );
  const objects = numbers(10_000).map((id) => ({ id, name: "x" }));
  expect(schemaIssues(schema, [...objects, { name: "x", id: 3 }])).toHaveLength(1);
});

test("many values are looked up among many allowed ones, not compared with each", () => {
  const allowed = numbers(1_000).map((index) => `value ${index}`);
  const schema = { type: "array", items: { enum: allowed } };
  const values = numbers(30_000).map((index) => allowed[index % 1_000]);
  expect(schemaIssues(schema, values)).toEqual([]);
});

test("after twenty parts that are wrong no more are told, and each is short", () => {
  const schema = {
    type: "array",
    items: { enum: numbers(1_000).map((index) => `value ${index}`) },
  };
  const issues = schemaIssues(schema, Array(50_000).fill("another"));
  expect(issues).toHaveLength(20);
  expect(JSON.stringify(issues).length).toBeLessThan(10_000);
  const named = { additionalProperties: false };
  const [issue] = schemaIssues(named, { ["x".repeat(100_000)]: 1 });
  expect(issue?.path.length).toBeLessThan(200);
});

test("an array of more values than can be checked is wrong, and says what to do", () => {
  const schema = { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } };
  expect(schemaIssues(schema, numbers(125_000))).toEqual([{ path: "", message: TOO_LARGE }]);
});

test.each<[string, Record<string, unknown>, unknown]>([
  ["items that must differ", { uniqueItems: true }, numbers(125_000)],
  ["a long text beside allowed ones", { enum: ["a"] }, "a".repeat(4_000_000)],
  ["a long text that must be the same", { const: "a" }, "a".repeat(4_000_000)],
  ["a long text of a format", { format: "email" }, "a".repeat(4_000_000)],
  [
    "names by a pattern that only JavaScript has",
    { patternProperties: { "^(?=a)": true } },
    Object.fromEntries(numbers(125_000).map((index) => [`b${index}`, index])),
  ],
])("the steps of %s are counted too", (_what, schema, given) => {
  expect(schemaIssues(schema, given)).toEqual([{ path: "", message: TOO_LARGE }]);
});

test("what is too long is not looked at any further", () => {
  const schema = { type: "array", maxItems: 3, items: { type: "string" } };
  expect(listIssues(schemaIssues(schema, numbers(125_000)))).toBe("must have at most 3 items");
});

test("a long text is refused before a pattern has to read it for long", () => {
  const schema = { type: "string", pattern: "^(a{0,31}b?){31}$" };
  expect(listIssues(schemaIssues(schema, "a".repeat(4_000_000)))).toBe(TOO_LARGE);
  const short = { ...schema, maxLength: 10 };
  expect(listIssues(schemaIssues(short, "a".repeat(4_000_000)))).toBe(
    "must have at most 10 characters",
  );
});

test("a schema that branches at every level ends", () => {
  const branches = { $ref: "#/$defs/tree" };
  const schema = {
    ...branches,
    $defs: { tree: { anyOf: [{ items: branches }, { items: branches }] } },
  };
  let value: unknown = 1;
  for (let level = 0; level < 30; level++) value = [value];
  expect(listIssues(schemaIssues(schema, value))).toBe(TOO_LARGE);
});

test("the format of an address takes no text for ever", () => {
  const schema = { format: "url" };
  expect(schemaIssues(schema, `http://${"a".repeat(60)}!`)).toEqual([]);
  expect(schemaIssues(schema, `http://${"a".repeat(60)} !`)).toHaveLength(1);
  expect(schemaIssues(schema, "https://example.com/a?b#c")).toEqual([]);
});

test("what no schema can be applied to is wrong; nothing is thrown", () => {
  expect(listIssues(schemaIssues({ $ref: "#/nowhere" }, 1))).toMatch(/^cannot be checked/);
  let deep: unknown = [];
  for (let level = 0; level < 50_000; level++) deep = [deep];
  const schema = { items: { $ref: "#" }, uniqueItems: true };
  expect(listIssues(schemaIssues(schema, deep))).toMatch(/^cannot be checked/);
});

const leaf = fc.constantFrom<unknown>(0, 1, -1.5, "", "a", "ab", "ba", true, null, [], {}, [1, 1]);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "ab", "c"), tie("value"), { maxKeys: 3 }),
  ),
})).value;
const schema = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie("schema");
  const inners = fc.array(inner, { minLength: 1, maxLength: 3 });
  const count = fc.nat(3);
  const names = fc.subarray(["a", "b", "ab", "c"]);
  const byName = fc.dictionary(fc.constantFrom("a", "b", "c"), inner, { maxKeys: 2 });
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.record(
        {
          type: fc.constantFrom<unknown>("string", "number", "integer", "array", "object", [
            "null",
            "boolean",
          ]),
          enum: fc.array(leaf, { minLength: 1, maxLength: 4 }),
          minLength: count,
          maxLength: count,
          minItems: count,
          maxItems: count,
          minProperties: count,
          maxProperties: count,
          minimum: count,
          exclusiveMaximum: count,
          pattern: fc.constantFrom("^a", "b$", "a(?=b)"),
          multipleOf: fc.constantFrom(0.5, 1, 3),
          uniqueItems: fc.boolean(),
          required: names,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          properties: byName,
          patternProperties: fc.dictionary(fc.constantFrom("^a", "b"), inner, { maxKeys: 1 }),
          additionalProperties: inner,
          unevaluatedProperties: inner,
          propertyNames: inner,
          dependentRequired: fc.dictionary(fc.constantFrom("a", "b"), names, { maxKeys: 1 }),
          dependentSchemas: byName,
          allOf: inners,
          anyOf: inners,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          prefixItems: inners,
          items: inner,
          contains: inner,
          minContains: count,
          maxContains: count,
          unevaluatedItems: inner,
          not: inner,
          anyOf: inners,
          oneOf: inners,
          if: inner,
          ["then" as string]: inner,
          else: inner,
        },
        { requiredKeys: [] },
      ),
    ),
  };
}).schema;

test("values fit by exactly the schemas by which another validator finds that they do", () => {
  fc.assert(
    fc.property(schema, value, (one, it) => {
      const root = typeof one === "object" ? (one as object) : { allOf: [one] };
      const { valid } = new Validator(root, "2020-12", false).validate(it);
      expect(schemaIssues(root as Record<string, unknown>, it).length === 0).toBe(valid);
    }),
    { numRuns: 1_000 },
  );
});

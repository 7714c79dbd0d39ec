import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { schemaIssues } from "../core/index.ts";
import { exampleOf } from "./example-value.ts";
import { PluginManifest } from "./manifest.ts";
import { skillOf } from "./skill.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifests = ["plugins", "examples/plugins"].flatMap((folder) =>
  readdirSync(root + folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readFileSync(`${root}${folder}/${name}/manifest.json`, "utf8"))
    .map((text) => PluginManifest.parse(JSON.parse(text))),
);

test.each(manifests.map((manifest) => [manifest.id, manifest] as const))(
  "the examples in the skill of %s are calls that it takes",
  (id, manifest) => {
    const skill = skillOf(manifest);
    for (const { id: operation, inputSchema } of manifest.operations) {
      const [, shown = ""] =
        new RegExp(`^beckon call ${id} ${operation} '(.*)'$`, "m").exec(skill) ?? [];
      expect(schemaIssues(inputSchema, JSON.parse(shown))).toEqual([]);
    }
  },
);

test.each<[unknown, unknown]>([
  [{ type: "object", properties: { a: { type: "string", default: "x" } } }, { a: "x" }],
  [{ properties: { a: {}, b: { const: 2 } }, required: ["b"] }, { b: 2 }],
  [{ type: ["integer", "null"], minimum: 7 }, 7],
  [{ items: { enum: ["a", "b"] } }, ["a"]],
  [{ type: "array" }, []],
  [{ anyOf: [{ type: "boolean" }, { type: "string" }] }, true],
  [{ $ref: "#/$defs/one", $defs: { one: { type: "string", minLength: 2 } } }, "……"],
  [{ type: "object", examples: [{ mine: 1 }] }, { mine: 1 }],
  [{}, null],
])("the example of %j is as plain as can be", (schema, example) => {
  expect(exampleOf(schema)).toEqual(example);
});

test("an operation without arguments, and one that is approved first, are told so", () => {
  const operation = { id: "go", summary: "Goes.", inputSchema: { type: "object" }, approval: {} };
  const skill = skillOf({ id: "p", version: "1", operations: [operation] });
  expect(skill).toContain("beckon call p go '{}'");
  expect(skill).toContain("It takes no arguments: `{}`.");
  expect(skill).toContain("A person approves each call before it runs.");
});

test("a schema that refers to itself has an end in its skill", () => {
  const inputSchema = {
    type: "object",
    properties: {
      children: { type: "array", items: { $ref: "#" } },
      rows: { $ref: "#/$defs/rows" },
    },
    required: ["children", "rows"],
    $defs: { rows: { type: "array", items: { $ref: "#/$defs/rows" } } },
  };
  const skill = skillOf({
    id: "tree",
    version: "1",
    operations: [{ id: "grow", summary: "Grows.", inputSchema }],
  });
  expect(skill).toContain("- `rows` (list of list of list of list, required)");
});

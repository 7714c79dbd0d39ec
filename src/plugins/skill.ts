import { at, exampleOf, isObject, typeOf } from "./example-value.ts";
import type { OperationManifest, PluginManifest } from "./manifest.ts";

/*
 * A SKILL.md as agents read it (agentskills.io): front matter whose name has at most 64 small
 * letters, digits and single hyphens and whose description has at most 1024 characters, then words
 * for the agent. It teaches an agent that has a shell to run a plugin's operations from it.
 */

const LONGEST_DESCRIPTION = 1_024;

/** What a plugin's manifest says, as a skill. */
export function skillOf(manifest: PluginManifest): string {
  const { id, version, description, operations } = manifest;
  return [
    "---",
    `name: ${skillNameOf(id)}`,
    `description: ${JSON.stringify(descriptionOf(manifest))}`,
    'compatibility: "Needs the command beckon, and a Beckon server that has this plugin."',
    "metadata:",
    `  version: ${JSON.stringify(version)}`,
    "---",
    "",
    `# ${id}`,
    "",
    ...(description === undefined ? [] : [description, ""]),
    HOW_TO_CALL,
    "",
    ...operations.flatMap((operation) => operationLines(id, operation)),
    EXIT_CODES,
    "",
  ].join("\n");
}

/** What a skill of this plugin is called: its folder must be called the same. */
export function skillNameOf(id: string): string {
  return id.replaceAll(/-+/g, "-").replaceAll(/^-|-$/g, "");
}

function descriptionOf({ id, description, operations }: PluginManifest): string {
  const what = description ?? operations.map(({ summary }) => summary).join(" ");
  const when = `Use it to run ${operations.map((one) => `\`beckon call ${id} ${one.id}\``).join(", ")}.`;
  // Angle brackets are taken for tags by some readers.
  const text = `${what.trim()} ${when}`.replaceAll(/[<>]/g, "").replaceAll(/\s+/g, " ");
  const characters = Array.from(text);
  if (characters.length <= LONGEST_DESCRIPTION) return text;
  return `${characters.slice(0, LONGEST_DESCRIPTION - 1).join("")}…`;
}

const HOW_TO_CALL = `Run an operation from a shell. Its arguments are one JSON object (\`-\` reads it from stdin); its result is printed as JSON on stdout, and what went wrong as a sentence on stderr.

The command may wait for a person, as long as that takes. Give it \`--key NAME\` if your shell may end it before: the same command with the same key goes on with the same call, or prints its result. A result with \`"pending": true\` means that the answer comes later, as a message.`;

const EXIT_CODES = `## Exit codes

- 0: it ended, and its result is on stdout; what a person decided is in the result
- 1: it failed, or its arguments do not fit; stderr names each field
- 2: the command was not understood
- 3: a person denied it
- 4: the server does not know you: BECKON_TOKEN is missing or not good
- 5: what it asked was withdrawn, or it was cancelled
- 124: nobody answered in time
- 130: it was interrupted`;

function operationLines(plugin: string, operation: OperationManifest): string[] {
  const { id, summary, inputSchema, outputSchema, approval } = operation;
  return [
    `## ${id}`,
    "",
    summary,
    "",
    ...(approval ? ["A person approves each call before it runs.", ""] : []),
    "```sh",
    `beckon call ${plugin} ${id} ${quoted(JSON.stringify(exampleOf(inputSchema)))}`,
    "```",
    "",
    ...argumentLines(inputSchema),
    ...answerLines(outputSchema),
  ];
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function argumentLines(schema: Record<string, unknown>): string[] {
  const lines = fieldLines(schema, schema, "");
  if (lines.length === 0) return ["It takes no arguments: `{}`.", ""];
  return ["Arguments:", "", ...lines, ""];
}

function answerLines(schema: Record<string, unknown> | undefined): string[] {
  if (!schema) return [];
  const forms = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(forms)) return ["It answers with:", "", ...shape(schema, schema), ""];
  return ["It answers with one of:", "", ...forms.flatMap((form) => shape(form, schema)), ""];
}

function shape(schema: unknown, root: unknown): string[] {
  const { title } = isObject(schema) ? schema : {};
  const what = typeof title === "string" ? `${title}: ` : "";
  const fields = fieldLines(schema, root, "  ");
  return [`- ${what}${typeWords(schema, root)}${fields.length > 0 ? " with" : ""}`, ...fields];
}

/** Levels below this are left to the schema itself. */
const DEEPEST = 3;

/** The fields of an object, and those of what is in them, one a line. */
function fieldLines(schema: unknown, root: unknown, indent: string): string[] {
  const own = resolved(schema, root);
  const properties = isObject(own["properties"]) ? own["properties"] : {};
  const required = Array.isArray(own["required"]) ? own["required"] : [];
  if (indent.length / 2 >= DEEPEST) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const line = fieldLine(name, resolved(field, root), root, required.includes(name), indent);
    return [line].concat(fieldLines(innerOf(field, root), root, `${indent}  `));
  });
}

function fieldLine(
  name: string,
  schema: Record<string, unknown>,
  root: unknown,
  required: boolean,
  indent: string,
): string {
  const { description, default: initial } = schema;
  const notes = [
    typeWords(schema, root),
    ...(required ? ["required"] : []),
    ...(initial === undefined ? [] : [`without it ${JSON.stringify(initial)}`]),
  ].join(", ");
  const words = typeof description === "string" ? `: ${description}` : "";
  return `${indent}- \`${name}\` (${notes})${words}`;
}

/** What the items of a list, or the object itself, are made of. */
function innerOf(schema: unknown, root: unknown): unknown {
  const own = resolved(schema, root);
  return own["items"] === undefined ? own : own["items"];
}

function resolved(schema: unknown, root: unknown): Record<string, unknown> {
  if (!isObject(schema)) return {};
  const { $ref } = schema;
  const named = typeof $ref === "string" ? at(root, $ref) : undefined;
  return isObject(named) ? { ...named, ...schema } : schema;
}

function typeWords(schema: unknown, root: unknown, depth = 0): string {
  const own = resolved(schema, root);
  const { type, enum: values, items } = own;
  if (Object.hasOwn(own, "const")) return JSON.stringify(own["const"]);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" or ");
  if (typeOf(own) === "array") {
    return items && depth < DEEPEST ? `list of ${typeWords(items, root, depth + 1)}` : "list";
  }
  if (Array.isArray(type)) return type.join(" or ");
  return typeOf(own) ?? "anything";
}

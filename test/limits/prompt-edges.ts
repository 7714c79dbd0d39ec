import type { Prompt } from "../../src/core/index.ts";
import type { Field, InputSchema } from "../../src/protocol/index.ts";
import type { Edge } from "./edge.ts";
import { show, SHOWINGS, sizedPrompt } from "./showing.ts";
import { faces, listOf, nested, sizedPattern } from "./values.ts";

const field = (index: number, more: Partial<Field> = {}): Field => ({
  id: `f${index}`,
  type: "text",
  label: "Field",
  ...more,
});
const form = (...fields: Field[]): Prompt => ({
  type: "input",
  inputSchema: { type: "form", fields },
});
const sections = (...counts: number[]): Prompt => {
  let fields = 0;
  const inputSchema: InputSchema = {
    type: "form",
    sections: counts.map((count, index) => ({
      id: `s${index}`,
      fields: listOf(count, () => field(fields++)),
    })),
  };
  return { type: "input", inputSchema };
};
const question = (options: number, header = "Header") => ({
  header,
  question: "Which?",
  options: listOf(options, (index) => ({ label: `o${index}` })),
  multiSelect: false,
});
const options = (count: number) =>
  listOf(count, (index) => ({ value: `o${index}`, label: `Option ${index}` }));

const PROMPTS: [Edge["limit"], string, (count: number) => Prompt, boolean?][] = [
  ["requestBytes", "all of it", sizedPrompt],
  ["jsonDepth", "a default", (depth) => form(field(1, { defaultValue: nested(depth - 4) }))],
  [
    "promptCharacters",
    "plain text",
    (length) => ({ type: "approval", prompt: "x".repeat(length) }),
  ],
  ["promptCharacters", "emoji", (length) => ({ type: "approval", prompt: faces(length) })],
  ["fields", "a list of them", (count) => form(...listOf(count, (index) => field(index)))],
  ["fields", "sections", (count) => sections(25, count - 25)],
  ["options", "a select", (count) => form(field(1, { type: "select", options: options(count) }))],
  [
    "options",
    "an approval",
    (count) => ({
      type: "approval",
      approvalOptions: listOf(count, (index) => ({
        id: `o${index}`,
        label: "Yes",
        decision: "approve",
      })),
    }),
  ],
  [
    "patternCharacters",
    "a text field",
    (length) => form(field(1, { pattern: "a".repeat(length) })),
  ],
  ["patternSize", "a text field", (size) => form(field(1, { pattern: sizedPattern(size) }))],
  [
    "patternSizePerForm",
    "patterns of all its fields",
    (size) =>
      form(
        ...listOf(5, (index) => field(index, { pattern: sizedPattern(3_800) })),
        field(5, { pattern: sizedPattern(size - 5 * 3_800) }),
      ),
  ],
  ["idCharacters", "a field's id", (length) => form(field(1, { id: "f".repeat(length) }))],
  [
    "idCharacters",
    "a section's id",
    (length) => ({
      type: "input",
      inputSchema: { type: "form", sections: [{ id: "s".repeat(length), fields: [field(1)] }] },
    }),
  ],
  ["idCharacters", "its kind", (length) => ({ type: "approval", kind: "k".repeat(length) })],
  ["referenceCharacters", "its key", (length) => ({ type: "approval", key: "k".repeat(length) })],
  [
    "referenceCharacters",
    "a choice's id",
    (length) => ({
      type: "approval",
      approvalOptions: [{ id: "o".repeat(length), label: "Yes", decision: "approve" }],
    }),
  ],
  [
    "questions",
    "a list of them",
    (count) => ({ type: "input", questions: listOf(count, () => question(2)) }),
  ],
  [
    "headerCharacters",
    "a question",
    (n) => ({ type: "input", questions: [question(2, "h".repeat(n))] }),
  ],
  [
    "questionOptionsMax",
    "a question",
    (count) => ({ type: "input", questions: [question(count)] }),
  ],
  [
    "questionOptionsMin",
    "a question",
    (count) => ({ type: "input", questions: [question(count)] }),
    true,
  ],
  ["timeoutMinMs", "its timeout", (timeoutMs) => ({ type: "approval", timeoutMs }), true],
  ["timeoutMaxMs", "its timeout", (timeoutMs) => ({ type: "approval", timeoutMs })],
];

/** What a tool asks in process, first or again. */
export const PROMPT_EDGES: Edge[] = PROMPTS.flatMap(([limit, what, prompt, least]) =>
  Object.entries(SHOWINGS).map(([how, tool]) => ({
    limit,
    through: `${what}, in ${how}`,
    beyond: "invalid_request",
    reach: (world, count) => show(world, tool, prompt(count)),
    least,
  })),
);

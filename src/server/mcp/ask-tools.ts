import { z } from "zod";
import {
  type Field,
  InputSchema,
  type InteractionRecord,
  LIMITS,
  type PromptRequest,
} from "../../protocol/index.ts";

/** A tool by which any MCP client asks people, as data: what it shows, and what it makes of the answer. */
export interface AskTool {
  description: string;
  parameters: z.ZodType<{ key?: string | undefined }>;
  /** What people are shown. Throws a `z.ZodError` for arguments that do not fit. */
  toPrompt(args: unknown): PromptRequest;
  /** What a person gave, by the name under which the caller finds it. */
  toAnswer(record: InteractionRecord): Record<string, unknown>;
}

const QUESTION = z.string().min(1).max(LIMITS.promptCharacters);
const KEY = {
  key: z
    .string()
    .max(LIMITS.referenceCharacters)
    .optional()
    .describe("Tells this question from the same question asked for another reason"),
};
/** The only field of a plain question. */
const ANSWER = "answer";
/** What is longer is better folded. */
const SHOWN_AT_ONCE = 9;

const Ask = z.object({ question: QUESTION, ...KEY });
const Confirm = z.object({ question: QUESTION.describe("What a person is to say yes to"), ...KEY });
const Choose = z.object({
  question: QUESTION,
  choices: z.array(z.string().min(1)).min(2).max(LIMITS.options),
  multiple: z.boolean().optional().describe("Whether several may be chosen"),
  ...KEY,
});
const Form = z.object({
  schema: InputSchema.describe('A form: { type: "form", fields: [{ id, type, label, … }] }'),
  ...KEY,
});

export const ASK_TOOLS: Record<string, AskTool> = {
  ask: {
    description: "Asks a person one question, and gives their answer in their own words.",
    parameters: Ask,
    toPrompt: (args) => oneField(Ask.parse(args).question, { type: "text" }),
    toAnswer: (record) => ({ answer: valueOf(record) }),
  },
  confirm: {
    description: "Asks a person for a yes. Anything but `confirmed: true` is a no.",
    parameters: Confirm,
    toPrompt: (args) => ({
      type: "approval",
      kind: "confirm",
      prompt: Confirm.parse(args).question,
      approvalScopes: ["once"],
    }),
    toAnswer: ({ response }) => ({ confirmed: response?.action === "approve" }),
  },
  choose: {
    description: "Lets a person choose from a list; with `multiple`, as many as they like.",
    parameters: Choose,
    toPrompt(args) {
      const { question, choices, multiple } = Choose.parse(args);
      const options = choices.map((label) => ({ value: label, label }));
      const one = choices.length > SHOWN_AT_ONCE ? "select" : "radio";
      return oneField(question, { type: multiple ? "multiselect" : one, options });
    },
    toAnswer(record) {
      const value = valueOf(record);
      return Array.isArray(value) ? { choices: value } : { choice: value };
    },
  },
  form: {
    description: "Lets a person fill in a form, and gives its values by the ids of the fields.",
    parameters: Form,
    toPrompt: (args) => ({
      type: "input",
      inputSchema: Form.parse(args).schema,
      presentation: "questionnaire",
      completedView: { showInputs: true },
    }),
    toAnswer: ({ response }) => ({ values: response?.input ?? {} }),
  },
};

/** One question as a form: its first line is the label of the only field. */
function oneField(question: string, field: Pick<Field, "type" | "options">): PromptRequest {
  const [title = question, ...more] = question.split("\n");
  return {
    type: "input",
    prompt: question,
    inputSchema: {
      type: "form",
      ...(more.length > 0 ? { title } : {}),
      fields: [{ id: ANSWER, label: title, required: true, ...field }],
    },
    presentation: "questionnaire",
    completedView: { showInputs: true },
  };
}

function valueOf({ response }: InteractionRecord): unknown {
  return response?.input?.[ANSWER];
}

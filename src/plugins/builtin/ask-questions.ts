import { defineTool, type Prompt } from "../../core/index.ts";
import { LIMITS } from "../../protocol/index.ts";
import { refusalOf } from "./refusal.ts";

interface Args {
  questions: NonNullable<Prompt["questions"]>;
}

const option = {
  type: "object",
  properties: {
    label: { type: "string", minLength: 1 },
    description: { type: "string" },
    preview: { type: "string" },
  },
  required: ["label"],
};

const question = {
  type: "object",
  properties: {
    header: { type: "string", maxLength: 12, description: "A very short label" },
    question: { type: "string", minLength: 1 },
    options: { type: "array", items: option, minItems: 2, maxItems: 4 },
    multiSelect: { type: "boolean", description: "Whether several options may be chosen" },
  },
  required: ["header", "question", "options"],
};

export const askQuestions = defineTool<Args>({
  name: "ask_questions",
  description:
    "Asks the user several questions, each with options, and returns the answers by question index.",
  version: "1",
  durable: "replay",
  pureHooks: true,
  patient: true,
  presentation: "questionnaire",
  parameters: {
    type: "object",
    properties: {
      questions: { type: "array", items: question, minItems: 1, maxItems: LIMITS.questions },
    },
    required: ["questions"],
    additionalProperties: false,
  },
  handler: ({ questions }, ctx) =>
    ctx.requestInteraction({
      type: "input",
      questions,
      completedView: { showInputs: true },
      onResponse: (response) => ({
        complete: refusalOf(response) ?? { ok: true, answers: response.input?.["answers"] },
      }),
    }),
});

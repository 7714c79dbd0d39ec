import { defineTool, ToolError } from "../../core/index.ts";
import { FieldType, LIMITS } from "../../protocol/index.ts";
import { refusalOf } from "./refusal.ts";

/** Without `secret`: the answer becomes the tool's result, which the log and the model see. */
const INPUT_TYPES = FieldType.options.filter((type) => type !== "secret");
const CHOICES = new Set<FieldType>(["select", "multiselect", "radio"]);

interface Args {
  question: string;
  inputType?: FieldType;
  options?: string[];
}

export const askUser = defineTool<Args>({
  name: "ask_user",
  description: "Asks the user one question and returns the answer.",
  version: "1",
  durable: "replay",
  pureHooks: true,
  patient: true,
  presentation: "questionnaire",
  parameters: {
    type: "object",
    properties: {
      question: {
        type: "string",
        minLength: 1,
        maxLength: LIMITS.promptCharacters,
        description: "The question to ask",
      },
      inputType: {
        type: "string",
        enum: INPUT_TYPES,
        description: "How it is answered; text, or select when there are options",
      },
      options: {
        type: "array",
        items: { type: "string" },
        minItems: 1,
        maxItems: LIMITS.options,
        description: "What to choose from",
      },
    },
    required: ["question"],
    additionalProperties: false,
  },
  handler({ question, options, inputType = options ? "select" : "text" }, ctx) {
    if (!options && CHOICES.has(inputType)) {
      throw new ToolError("invalid_arguments", `A ${inputType} needs options to choose from.`);
    }
    return ctx.requestInteraction({
      type: "input",
      inputSchema: {
        type: "form",
        fields: [
          {
            id: "answer",
            type: inputType,
            label: question,
            required: true,
            ...(options && { options: options.map((value) => ({ value, label: value })) }),
          },
        ],
      },
      completedView: { showInputs: true },
      onResponse: (response) => ({
        complete: refusalOf(response) ?? { ok: true, answer: response.input?.["answer"] },
      }),
    });
  },
});

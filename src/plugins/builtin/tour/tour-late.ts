import { defineTool } from "../../../core/index.ts";
import { refusalOf } from "../refusal.ts";

/** Waits a moment, then goes on without the answer, which may come whenever it likes. */
export const tourLate = defineTool<{ question: string; waitSeconds: number }>({
  name: "tour_late",
  description: "Part of /tour: a question that does not hold the agent up.",
  version: "1",
  durable: "replay",
  presentation: "questionnaire",
  parameters: {
    type: "object",
    properties: {
      question: { type: "string", minLength: 1 },
      waitSeconds: { type: "number", minimum: 1, maximum: 3600 },
    },
    required: ["question", "waitSeconds"],
    additionalProperties: false,
  },
  handler: ({ question, waitSeconds }, ctx) =>
    ctx.requestInteraction({
      type: "input",
      prompt: question,
      inputSchema: {
        type: "form",
        fields: [{ id: "answer", type: "text", label: "Your answer", required: true }],
      },
      timeoutMs: waitSeconds * 1_000,
      completedView: { showInputs: true },
      onResponse: (response) => ({
        complete: refusalOf(response) ?? { ok: true, answer: response.input?.["answer"] },
      }),
      onTimeout: () => ({ pending: { message: "The answer will arrive as a message." } }),
    }),
});

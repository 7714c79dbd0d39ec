import type { AskBody, Field } from "../../protocol/index.ts";
import { ANSWER } from "./outcome.ts";

/** One question as a form: its text is the title of the card and the label of its only field. */
export function oneField(
  question: string,
  field: Pick<Field, "type" | "options">,
): Partial<AskBody> {
  const [title = question, ...more] = question.split("\n");
  return {
    type: "input",
    prompt: question,
    inputSchema: {
      type: "form",
      // A title is one line; the whole text then stands below it.
      ...(more.length > 0 ? { title } : {}),
      fields: [{ id: ANSWER, label: title, required: true, ...field }],
    },
    presentation: "questionnaire",
    completedView: { showInputs: true },
  };
}

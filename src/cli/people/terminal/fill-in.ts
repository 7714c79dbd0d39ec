import { answerInWords } from "../../../client/answers.ts";
import {
  type FieldValue,
  type FormValues,
  ownValue,
  startValues,
  submitLabel,
  valueInWords,
  withoutSecrets,
} from "../../../client/form-values.ts";
import { waysToLeave } from "../../../client/unanswered-words.ts";
import type { FieldErrors, InteractionRecord, ResponseBody } from "../../../protocol/index.ts";
import { askField } from "./ask-field.ts";
import { askQuestion } from "./ask-question.ts";
import { decide } from "./decide.ts";
import type { TerminalUi } from "./terminal-ui.ts";
import { inputOf, stepsOf } from "./form-steps.ts";

/** One thing to fill in: a field of a form, or a question. */
interface Step {
  id: string;
  label: string;
  ask(value: FieldValue, error?: string): Promise<{ value: FieldValue } | "back" | "escape">;
  inWords(value: FieldValue): string;
}

export interface Filling {
  /** What is filled in; changes as the person goes on, and outlives a refusal, secrets too. */
  values: FormValues;
  errors: FieldErrors;
  signal: AbortSignal;
}

/** What a prompt begins with. */
export function firstValues(ui: TerminalUi, record: InteractionRecord): FormValues {
  const { request } = record;
  const { kept, previous } = ui.drafts.of(record);
  if (!request.questions) return startValues({ request, kept, previous });
  return { ...(previous?.["answers"] as FormValues | undefined), ...kept };
}

/** Goes through what is to be filled in, then shows all of it; only then something is sent. */
export async function fillIn(
  ui: TerminalUi,
  record: InteractionRecord,
  filling: Filling,
): Promise<ResponseBody | undefined> {
  const { values, errors, signal } = filling;
  const steps = stepsFor(ui, record, signal);
  let from = Math.max(
    0,
    steps.findIndex(({ id }) => ownValue(errors, id) !== undefined),
  );
  for (;;) {
    const isComplete = steps.length === 0 || (await goThrough(steps, from, filling));
    ui.drafts.keep(record, withoutSecrets(values, record.request.inputSchema));
    const decided = await decide(ui, record, {
      choices: [...(isComplete ? [sendChoice(record, values)] : []), ...leaveChoices(record)],
      others:
        steps.length === 0
          ? []
          : [{ key: "e", label: isComplete ? "Change it" : "Go on filling it in" }],
      shown: isComplete ? steps.map((step) => toPair(step, values)) : [],
      signal,
    });
    if (typeof decided !== "string") return decided;
    from = 0;
  }
}

/** False when the person went away from it. */
async function goThrough(steps: Step[], from: number, filling: Filling): Promise<boolean> {
  const { values, errors } = filling;
  for (let at = from; at < steps.length;) {
    const step = steps[at] as Step;
    const given = await step.ask(ownValue(values, step.id) ?? "", ownValue(errors, step.id));
    if (given === "escape") return false;
    if (given === "back") {
      at = Math.max(0, at - 1);
      continue;
    }
    values[step.id] = given.value;
    delete errors[step.id];
    at++;
  }
  return true;
}

function stepsFor(ui: TerminalUi, { request }: InteractionRecord, signal: AbortSignal): Step[] {
  const { questions, inputSchema } = request;
  if (questions) {
    const count = questions.length;
    return questions.map((question, at) => ({
      id: String(at),
      label: question.header || question.question,
      ask: (value, error) =>
        askQuestion(ui, question, { at, count, value: String(value), error, signal }),
      inWords: (value) => answerInWords(question, value),
    }));
  }
  const steps = inputSchema ? stepsOf(inputSchema) : [];
  const count = steps.length;
  return steps.map((step, at) => ({
    id: step.field.id,
    label: step.field.label,
    ask: (value, error) => askField(ui, step, { at, count, value, error, signal }),
    inWords: (value) => valueInWords(step.field, value),
  }));
}

function toPair(step: Step, values: FormValues): [string, string] {
  return [step.label, step.inWords(ownValue(values, step.id) ?? "")];
}

function sendChoice({ request }: InteractionRecord, values: FormValues) {
  const { questions, inputSchema } = request;
  const input = questions
    ? { answers: values }
    : inputSchema
      ? inputOf(inputSchema, values)
      : undefined;
  const body: ResponseBody = { action: "submit", ...(input ? { input } : {}) };
  return { key: "s", label: questions ? "Submit" : submitLabel(inputSchema), body };
}

function leaveChoices({ request }: InteractionRecord) {
  const cancel: ResponseBody = { action: "cancel" };
  const deny: ResponseBody = { action: "deny" };
  const { skip, refuse } = waysToLeave(request.inputSchema);
  return [
    { key: "c", label: skip.label, more: [`This ${skip.does}`], body: cancel },
    { key: "d", label: refuse.label, more: [`This ${refuse.does}`], body: deny },
    { key: "r", label: `${refuse.label} with a reason`, body: deny, asksReason: true },
  ];
}

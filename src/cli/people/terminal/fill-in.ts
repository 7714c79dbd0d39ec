import type { FieldErrors, InteractionRecord, ResponseBody } from "../../../protocol/index.ts";
import { askField } from "./ask-field.ts";
import { askQuestion, answerInWords } from "./ask-question.ts";
import { decide } from "./decide.ts";
import type { Desk } from "./desk.ts";
import { own, startValues, stepsOf, toInput, valueInWords, type Values } from "./form-steps.ts";

/** One thing to fill in: a field of a form, or a question. */
interface Step {
  id: string;
  label: string;
  ask(value: unknown, error?: string): Promise<{ value: unknown } | "back" | "escape">;
  inWords(value: unknown): string;
  isSecret: boolean;
}

export interface Filling {
  /** What is filled in; changes as the person goes on, and outlives a refusal, secrets too. */
  values: Values;
  errors: FieldErrors;
  signal: AbortSignal;
}

/** What a prompt begins with. */
export function firstValues(desk: Desk, record: InteractionRecord): Values {
  const { request } = record;
  const draft = desk.drafts.of(record);
  return request.questions ? { ...draft } : startValues(request, draft);
}

/** Goes through what is to be filled in, then shows all of it; only then something is sent. */
export async function fillIn(
  desk: Desk,
  record: InteractionRecord,
  filling: Filling,
): Promise<ResponseBody | undefined> {
  const { values, errors, signal } = filling;
  const steps = stepsFor(desk, record, signal);
  let from = Math.max(
    0,
    steps.findIndex(({ id }) => own(errors, id) !== undefined),
  );
  for (;;) {
    const isComplete = steps.length === 0 || (await goThrough(steps, from, filling));
    keepDraft(desk, record, steps, values);
    const decided = await decide(desk, record, {
      choices: [
        ...(isComplete ? [sendChoice(record, steps, values)] : []),
        ...leaveChoices(record),
      ],
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
    const given = await step.ask(own(values, step.id), own(errors, step.id) as string | undefined);
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

function stepsFor(desk: Desk, { request }: InteractionRecord, signal: AbortSignal): Step[] {
  const { questions, inputSchema } = request;
  if (questions) {
    const count = questions.length;
    return questions.map((question, at) => ({
      id: String(at),
      label: question.header || question.question,
      ask: (value, error) => askQuestion(desk, question, { at, count, value, error, signal }),
      inWords: (value) => answerInWords(question, value),
      isSecret: false,
    }));
  }
  const steps = inputSchema ? stepsOf(inputSchema) : [];
  const count = steps.length;
  return steps.map((step, at) => ({
    id: step.field.id,
    label: step.field.label,
    ask: (value, error) => askField(desk, step, { at, count, value, error, signal }),
    inWords: (value) => valueInWords(step.field, value),
    isSecret: step.field.type === "secret",
  }));
}

function toPair(step: Step, values: Values): [string, string] {
  return [step.label, step.inWords(own(values, step.id))];
}

function sendChoice({ request }: InteractionRecord, steps: Step[], values: Values) {
  const { questions, inputSchema } = request;
  const input = questions
    ? { answers: values }
    : inputSchema
      ? toInput(inputSchema, values)
      : undefined;
  const body: ResponseBody = { action: "submit", ...(input ? { input } : {}) };
  const label = inputSchema?.submitLabel ?? (steps.length === 0 ? "Done" : "Send");
  return { key: "s", label, body };
}

function leaveChoices({ request }: InteractionRecord) {
  const cancel: ResponseBody = { action: "cancel" };
  const deny: ResponseBody = { action: "deny" };
  const label = request.inputSchema?.cancelLabel ?? "Skip";
  return [
    { key: "c", label, more: ["No answer: the agent goes on without one."], body: cancel },
    { key: "d", label: "Refuse", more: ["Tells the agent no."], body: deny },
    { key: "r", label: "Refuse with a reason", body: deny, asksReason: true },
  ];
}

/** Secrets are not kept. */
function keepDraft(desk: Desk, record: InteractionRecord, steps: Step[], values: Values): void {
  const kept = steps.filter(({ isSecret }) => !isSecret).map(({ id }) => [id, own(values, id)]);
  desk.drafts.keep(record, Object.fromEntries(kept) as Values);
}

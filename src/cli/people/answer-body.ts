import type {
  ApprovalScope,
  Field,
  InteractionRequest,
  Question,
  ResponseBody,
} from "../../protocol/index.ts";
import { encodeAnswer } from "../../client/answers.ts";
import { fromText, isList, isTick } from "../../client/form-values.ts";
import { fieldsOf } from "../../protocol/index.ts";
import { parseJson } from "../read-given.ts";
import { CommandFailure, EXIT } from "../failure.ts";

/** How a prompt is answered by flags. */
export interface AnswerFlags {
  approve?: boolean;
  deny?: boolean;
  cancel?: boolean;
  /** JSON of the whole input, already read from stdin where it was `-`. */
  submit?: string;
  /** `NAME=VALUE`, one for each field or question; `VALUE` where there is only one. */
  answer?: string[];
  scope?: ApprovalScope;
  option?: string;
  edit?: string;
  reason?: string;
  stop?: boolean;
}

export const WAYS =
  "Say how: --approve, --deny, --submit '{json}', --answer VALUE (or NAME=VALUE), or --cancel.";

const GOES_WITH = {
  scope: ["approve"],
  edit: ["approve"],
  option: ["approve", "deny"],
  reason: ["deny"],
  stop: ["deny"],
} as const;

/** Which action the flags ask for; nothing where they ask for none. Throws where they disagree. */
export function actionOf(flags: AnswerFlags): ResponseBody["action"] | undefined {
  const isSubmit = flags.submit !== undefined || flags.answer !== undefined;
  const actions = (["approve", "deny", "cancel"] as const).filter((one) => flags[one]);
  const given = isSubmit ? [...actions, "submit" as const] : actions;
  if (given.length > 1) throw usage(`--${given[0]} and --${given[1]} cannot stand together.`);
  const [action] = given;
  for (const [flag, actions] of Object.entries(GOES_WITH)) {
    if (flags[flag as keyof typeof GOES_WITH] === undefined) continue;
    if (action !== undefined && (actions as readonly string[]).includes(action)) continue;
    throw usage(`--${flag} goes with ${actions.map((one) => `--${one}`).join(" or ")}.`);
  }
  return action;
}

/** The response that the flags mean for this prompt. What the server checks is not checked here. */
export function toBody(
  action: ResponseBody["action"],
  flags: AnswerFlags,
  request: InteractionRequest,
): ResponseBody {
  const { scope, option, edit, reason, stop } = flags;
  return {
    action,
    ...(scope === undefined ? {} : { approvalScope: scope }),
    ...(option === undefined ? {} : { optionId: option }),
    ...(edit === undefined ? {} : { updatedInput: parseJson(edit, "--edit") }),
    ...(reason === undefined ? {} : { reason }),
    ...(stop ? { stop } : {}),
    ...(action === "submit" ? { input: toInput(flags, request) } : {}),
  };
}

function toInput({ submit, answer = [] }: AnswerFlags, request: InteractionRequest) {
  const whole = submit === undefined ? {} : parseObject(submit);
  const named = toNamed(answer, namesOf(request));
  return request.questions
    ? { answers: toAnswers(request.questions, whole, named) }
    : { ...whole, ...toValues(request, named) };
}

/** Questions are answered by index; the answers may stand in `answers` or by themselves. */
function toAnswers(
  questions: Question[],
  whole: Record<string, unknown>,
  named: Record<string, string[]>,
): Record<string, unknown> {
  const inside = whole["answers"];
  const given = isObject(inside) ? { ...inside } : { ...whole };
  for (const [index, value] of Object.entries(given)) {
    if (Array.isArray(value)) given[index] = JSON.stringify(value);
  }
  for (const [index, values] of Object.entries(named)) {
    const question = questions[Number(index)];
    given[index] = question ? encodeAnswer(question, values) : values.at(-1);
  }
  return given;
}

/** Text from a command line as the values that the fields have. */
function toValues(request: InteractionRequest, named: Record<string, string[]>) {
  const fields = request.inputSchema ? fieldsOf(request.inputSchema) : [];
  return Object.fromEntries(
    Object.entries(named).map(([id, values]) => {
      const field = fields.find((one) => one.id === id);
      return [id, toValue(field, values)];
    }),
  );
}

function toValue(field: Field | undefined, values: string[]): unknown {
  const text = values.at(-1) ?? "";
  if (!field) return text;
  if (isList(field)) return values;
  return isTick(field) ? toBoolean(text) : fromText(field, text);
}

const BOOLEANS: Record<string, boolean> = { true: true, yes: true, false: false, no: false };

/** What is neither goes as it is, so that the server says what is wrong with it. */
function toBoolean(text: string): boolean | string {
  return BOOLEANS[text.toLowerCase()] ?? text;
}

/** What can be filled in: the fields of a form, or questions by their number, from 0. */
export function namesOf({ questions, inputSchema }: InteractionRequest): string[] {
  if (questions) return questions.map((_question, at) => String(at));
  return inputSchema ? fieldsOf(inputSchema).map(({ id }) => id) : [];
}

/** What was given, by name. A name may be given several times, for a list. */
function toNamed(answers: string[], names: string[]): Record<string, string[]> {
  const named: Record<string, string[]> = Object.create(null);
  for (const text of answers) {
    const { name, value } = toPair(text, names);
    named[name] = [...(named[name] ?? []), value];
  }
  return named;
}

function toPair(text: string, names: string[]): { name: string; value: string } {
  const [only, another] = names;
  const end = text.indexOf("=");
  const name = text.slice(0, Math.max(0, end));
  if (only !== undefined && another === undefined && name !== only)
    return { name: only, value: text };
  if (end > 0) return { name, value: text.slice(end + 1) };
  const known = names.length === 0 ? "" : ` The names are ${listed(names)}.`;
  throw usage(`--answer needs NAME=VALUE here.${known}`);
}

function listed(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text, "--submit");
  if (isObject(value)) return value;
  throw usage('--submit needs a JSON object, such as \'{"name":"Ada"}\'.');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function usage(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.usage);
}

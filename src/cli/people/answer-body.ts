import type {
  ApprovalScope,
  Field,
  InteractionRequest,
  Question,
  ResponseBody,
} from "../../protocol/index.ts";
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
  /** `NAME=VALUE`, one for each field or question. */
  answer?: string[];
  scope?: ApprovalScope;
  option?: string;
  edit?: string;
  reason?: string;
  stop?: boolean;
}

export const WAYS =
  "Say how: --approve, --deny, --submit '{json}', --answer NAME=VALUE or --cancel.";

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
  const named = Object.fromEntries(answer.map(toPair));
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
    given[index] = questions[Number(index)]?.multiSelect ? JSON.stringify(values) : values.at(-1);
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
  switch (field?.type) {
    case "number":
      return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return toBoolean(text);
    case "checkbox":
      return field.options ? values : toBoolean(text);
    case "multiselect":
      return values;
    default:
      return text;
  }
}

const BOOLEANS: Record<string, boolean> = { true: true, yes: true, false: false, no: false };

/** What is neither goes as it is, so that the server says what is wrong with it. */
function toBoolean(text: string): boolean | string {
  return BOOLEANS[text.toLowerCase()] ?? text;
}

/** One name may be given several times, for a list. */
function toPair(text: string, _at: number, all: string[]): [string, string[]] {
  const name = nameOf(text);
  const values = all.filter((one) => nameOf(one) === name).map((one) => one.slice(name.length + 1));
  return [name, values];
}

function nameOf(text: string): string {
  const end = text.indexOf("=");
  if (end < 1) throw usage(`--answer needs NAME=VALUE, such as --answer 0=Blue, not "${text}".`);
  return text.slice(0, end);
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

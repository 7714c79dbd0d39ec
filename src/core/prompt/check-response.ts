import {
  type FieldErrors,
  fieldsOf,
  type InputSchema,
  type InteractionRequest,
  LIMITS,
  ProtocolError,
  type Question,
  type ResponseBody,
} from "../../protocol/index.ts";
import { checkField, isEmpty } from "./check-field.ts";
import { schemaErrors } from "../schema/json-schema.ts";

/** A response that fits its request, with what must not be stored taken out of it. */
export interface CheckedResponse {
  body: ResponseBody;
  secrets: Record<string, unknown>;
}

const ACTIONS = { approval: ["approve", "deny"], input: ["submit", "cancel", "deny"] } as const;

/**
 * Checks a response against the request as it was stored, never against what the client believes
 * it was. Throws `invalid_response`; the prompt stays open and nothing is stored.
 */
export function checkResponse(
  request: InteractionRequest,
  body: ResponseBody,
  toolSchema: Record<string, unknown> | undefined,
): CheckedResponse {
  const allowed: readonly string[] = ACTIONS[request.interactionType];
  if (!allowed.includes(body.action)) {
    throw invalid(`This prompt is answered with ${allowed.join(" or ")}, not with ${body.action}.`);
  }
  checkScope(request, body);
  checkOption(request, body);
  checkEdit(request, body, toolSchema);
  if (body.stop !== undefined && body.action !== "deny")
    throw invalid('"stop" goes with deny only.');
  if (body.action !== "submit") {
    if (body.input !== undefined && Object.keys(body.input).length > 0) {
      throw invalid(`"input" goes with submit, not with ${body.action}.`);
    }
    return { body: { ...body, input: undefined }, secrets: {} };
  }
  const input = body.input ?? {};
  if (request.questions)
    return { body: { ...body, input: checkAnswers(request.questions, input) }, secrets: {} };
  if (request.inputSchema) return checkForm(request.inputSchema, body, input);
  if (Object.keys(input).length > 0) throw invalid("This prompt has no fields to fill in.");
  return { body: { ...body, input: undefined }, secrets: {} };
}

function checkScope(request: InteractionRequest, body: ResponseBody): void {
  if (body.approvalScope === undefined) return;
  if (body.action !== "approve") throw invalid('"approvalScope" goes with approve only.');
  if (!request.approvalScopes?.includes(body.approvalScope)) {
    throw invalid(`The scope "${body.approvalScope}" was not offered.`);
  }
}

function checkOption(request: InteractionRequest, body: ResponseBody): void {
  if (body.optionId === undefined) return;
  const option = request.approvalOptions?.find((one) => one.id === body.optionId);
  if (!option) throw invalid(`The option "${body.optionId}" was not offered.`);
  if (option.decision !== body.action) {
    throw invalid(`The option "${option.label}" means ${option.decision}, not ${body.action}.`);
  }
}

function checkEdit(
  request: InteractionRequest,
  body: ResponseBody,
  toolSchema: Record<string, unknown> | undefined,
): void {
  if (body.updatedInput === undefined) return;
  if (!request.editable || body.action !== "approve") {
    throw invalid("The input of this call cannot be edited.");
  }
  const missing: FieldErrors = body.updatedInput === null ? { "": "is missing" } : {};
  const errors = { ...missing, ...(toolSchema ? schemaErrors(toolSchema, body.updatedInput) : {}) };
  if (Object.keys(errors).length > 0)
    throw invalid("The edited input does not fit the tool.", errors);
}

function checkForm(
  schema: InputSchema,
  body: ResponseBody,
  given: Record<string, unknown>,
): CheckedResponse {
  const errors: FieldErrors = {};
  const input: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  const fields = fieldsOf(schema);
  const matching = { stepsLeft: LIMITS.patternSteps };
  for (const id of Object.keys(given)) {
    if (!fields.some((field) => field.id === id)) errors[id] = "This form has no such field.";
  }
  for (const field of fields) {
    const value = own(given, field.id);
    if (isEmpty(value)) {
      if (field.required && !isInSkippedSection(schema, field.id, given)) {
        errors[field.id] = "This is required.";
      }
      continue;
    }
    const problem = checkField(field, value, matching);
    if (problem) errors[field.id] = problem;
    else (field.type === "secret" ? secrets : input)[field.id] = value;
  }
  if (Object.keys(errors).length > 0) throw invalid("Some fields need another look.", errors);
  return { body: { ...body, input }, secrets };
}

/** A field may be called like something that every object has. */
function own(given: Record<string, unknown>, id: string): unknown {
  return Object.hasOwn(given, id) ? given[id] : undefined;
}

/** An optional section that was left empty as a whole asks for nothing. */
function isInSkippedSection(
  schema: InputSchema,
  fieldId: string,
  given: Record<string, unknown>,
): boolean {
  const section = schema.sections?.find((one) => one.fields.some((field) => field.id === fieldId));
  return (
    section?.optional === true && section.fields.every((field) => isEmpty(own(given, field.id)))
  );
}

function checkAnswers(
  questions: Question[],
  input: Record<string, unknown>,
): Record<string, unknown> {
  const { answers, ...others } = input;
  if (answers === null || typeof answers !== "object" || Array.isArray(answers)) {
    throw invalid('Answer with "input": { "answers": { "0": … } }.');
  }
  const given = answers as Record<string, unknown>;
  const errors: FieldErrors = {};
  for (const key of Object.keys(others)) errors[key] = "This form has no such field.";
  for (const key of Object.keys(given)) {
    if (!questions[Number(key)] || String(Number(key)) !== key)
      errors[key] = "There is no such question.";
  }
  for (const [index, question] of questions.entries()) {
    const problem = checkAnswer(question, given[String(index)]);
    if (problem) errors[String(index)] = problem;
  }
  if (Object.keys(errors).length > 0) throw invalid("Some questions need another look.", errors);
  return { answers: given };
}

function checkAnswer(question: Question, answer: unknown): string | undefined {
  if (isEmpty(answer)) return "This question needs an answer.";
  if (typeof answer !== "string") return "The answer must be text.";
  if (!question.multiSelect)
    return answer.trim() === "" ? "This question needs an answer." : undefined;
  const chosen = listOfTexts(answer);
  if (!chosen) return "Choose one or more: the answer must be a JSON array of texts.";
  return chosen.length === 0 ? "This question needs an answer." : undefined;
}

function listOfTexts(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return undefined;
    return value.every((one) => typeof one === "string" && one.trim() !== "") ? value : undefined;
  } catch {
    return undefined;
  }
}

function invalid(sentence: string, fieldErrors?: FieldErrors): ProtocolError {
  return new ProtocolError("invalid_response", sentence, fieldErrors ? { fieldErrors } : {});
}

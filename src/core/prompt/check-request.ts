import {
  type Field,
  fieldsOf,
  type InputSchema,
  jsonBytes,
  LIMITS,
  parseJson,
  PromptRequest,
  ProtocolError,
  toIssues,
} from "../../protocol/index.ts";
import { fieldPattern } from "../schema/linear-patterns.ts";
import { patternWeight } from "../schema/pattern-size.ts";
import { ToolError } from "../call/tool.ts";

/** As for JSON from outside; but a prompt's size is limited as a whole, and a large form has many keys. */
const PROMPT_LIMITS = {
  ...LIMITS,
  jsonKeys: Number.POSITIVE_INFINITY,
  jsonStringBytes: Number.POSITIVE_INFINITY,
};

const NEEDS_OPTIONS = new Set(["select", "multiselect", "radio"]);

/** Takes what a tool wants to ask, without its hooks; refuses what could not be shown or answered. */
export function checkPrompt(request: unknown): PromptRequest {
  const parsed = PromptRequest.safeParse(dataOf(request));
  if (!parsed.success) {
    const [issue] = toIssues(parsed.error);
    throw invalid(`${issue?.path ? `"${issue.path}" ` : ""}${issue?.message ?? "not valid"}`);
  }
  const prompt = parsed.data;
  if (prompt.type === "approval" && (prompt.inputSchema || prompt.questions)) {
    throw invalid('an approval has no "inputSchema" and no "questions"; ask with type "input"');
  }
  if (prompt.inputSchema) checkForm(prompt.inputSchema);
  if (prompt.approvalScopes?.length === 0)
    throw invalid('"approvalScopes" must offer one at least');
  checkUnique(
    prompt.approvalOptions?.map((option) => option.id),
    "approvalOptions",
  );
  for (const [index, question] of (prompt.questions ?? []).entries()) {
    checkUnique(
      question.options.map((option) => option.label),
      `questions.${index}.options`,
    );
  }
  const { changes = [], ...rest } = prompt;
  checkSize("it", rest, LIMITS.requestBytes);
  checkSize("what it says of changes", changes, LIMITS.toolInputBytes);
  return prompt;
}

function checkSize(what: string, part: unknown, allowed: number): void {
  const bytes = jsonBytes(part);
  if (bytes > allowed) throw invalid(`${what} has ${bytes} bytes; at most ${allowed} can be shown`);
}

export function hasSecret(schema: InputSchema | undefined): boolean {
  return schema !== undefined && fieldsOf(schema).some((field) => field.type === "secret");
}

/** Only what is data, as it will be when it has been stored and read again. */
function dataOf(request: unknown): unknown {
  if (request === null || typeof request !== "object") return request;
  const { timeoutMs } = request as { timeoutMs?: unknown };
  if (typeof timeoutMs === "number" && !Number.isFinite(timeoutMs)) {
    throw invalid('"timeoutMs" must be a number of milliseconds, or null to wait for ever');
  }
  let text: string;
  try {
    text = JSON.stringify(request);
  } catch (cause) {
    throw invalid("it holds something that is not JSON", cause);
  }
  try {
    return parseJson(text, PROMPT_LIMITS);
  } catch (cause) {
    throw invalid(cause instanceof ProtocolError ? cause.message : "it is not JSON", cause);
  }
}

function checkForm(schema: InputSchema): void {
  if (!schema.fields === !schema.sections) {
    throw invalid('"inputSchema" needs either "fields" or "sections"');
  }
  const fields = fieldsOf(schema);
  if (fields.length > LIMITS.fields) throw invalid(`a form has at most ${LIMITS.fields} fields`);
  checkUnique(
    fields.map((field) => field.id),
    "inputSchema fields",
  );
  for (const field of fields) checkField(field);
  checkPatterns(fields);
}

/** Their size before the first of them is compiled: compiling is what takes the time. */
function checkPatterns(fields: Field[]): void {
  const size = fields.reduce(
    (sum, { pattern }) => sum + (pattern === undefined ? 0 : patternWeight(pattern)),
    0,
  );
  if (size > LIMITS.patternSizePerForm) {
    throw invalid(
      `its patterns stand for about ${size} steps, at most ${LIMITS.patternSizePerForm} are allowed; lower their counts, use fewer classes, or use maxLength`,
    );
  }
  for (const { id, pattern } of fields) {
    try {
      if (pattern !== undefined) fieldPattern(pattern);
    } catch (cause) {
      throw invalid(`the pattern of "${id}" ${(cause as Error).message}`, cause);
    }
  }
}

function checkField(field: Field): void {
  if (["__proto__", "constructor", "prototype"].includes(field.id)) {
    throw invalid(`"${field.id}" cannot be a field's id`);
  }
  if (NEEDS_OPTIONS.has(field.type) && !field.options?.length) {
    throw invalid(`the ${field.type} field "${field.id}" needs options`);
  }
  checkUnique(
    field.options?.map((option) => option.value),
    `the options of "${field.id}"`,
  );
}

function checkUnique(values: string[] | undefined, what: string): void {
  if (values && new Set(values).size !== values.length) throw invalid(`${what} must differ`);
}

function invalid(what: string, cause?: unknown): ToolError {
  return new ToolError("invalid_request", `This prompt cannot be shown: ${what}.`, { cause });
}

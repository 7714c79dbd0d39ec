import { type Field, type InputSchema, LIMITS } from "../../protocol/index.ts";
import { type Prompt, ToolError, type Turn, type UserResponse } from "../../core/index.ts";
import { elicitedErrors, type Property } from "./elicited-values.ts";
import type { ElicitationRequest, ElicitationResult, OnElicitation } from "./sdk.ts";

/** What an MCP server asks in the middle of a call becomes a form, or a link, of a call of its own. */
export function createOnElicitation(
  turn: Turn,
  timeoutMs: number | null | undefined,
): OnElicitation {
  let count = 0;
  return async (request, { signal, requestId }) => {
    const call = await turn.startCall({
      nativeId: requestId ?? `${turn.turnId}-elicitation-${++count}`,
      toolName: `mcp__${request.serverName}__elicitation`,
      input: request,
    });
    try {
      const response = (await call.ask(
        {
          ...toPrompt(request),
          timeoutMs,
          onResponse: (said) => askedAgain(request, said) ?? { complete: said },
        },
        signal,
      )) as UserResponse;
      const result = toResult(response);
      await call.end({ ok: true, result });
      return result;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await call.end({ ok: false, error: { code: error.code, message: error.message } });
      return { action: "cancel" };
    }
  };
}

/** Asks again where the server would refuse what was filled in: nobody would see its error. */
function askedAgain(request: ElicitationRequest, { action, input = {} }: UserResponse) {
  const fieldErrors =
    action === "submit" ? elicitedErrors(propertiesOf(request.requestedSchema), input) : {};
  const { inputSchema, ...prompt } = toPrompt(request);
  if (Object.keys(fieldErrors).length === 0 || !inputSchema) return undefined;
  return {
    reprompt: { ...prompt, inputSchema: { ...inputSchema, initialValues: input }, fieldErrors },
  };
}

const ACTIONS = {
  submit: "accept",
  approve: "accept",
  deny: "decline",
  cancel: "cancel",
} as const;

function toResult({ action, input }: UserResponse): ElicitationResult {
  const known = ACTIONS[action];
  return known === "accept" ? { action: known, content: input ?? {} } : { action: known };
}

function toPrompt({ mode, message, url, requestedSchema, serverName }: ElicitationRequest): Prompt {
  const context = { title: `Asked by the MCP server ${serverName}` };
  if (mode === "url" && url !== undefined) {
    return { type: "input", prompt: message, context, link: { url } };
  }
  const inputSchema = toForm(requestedSchema);
  return { type: "input", prompt: message, context, ...(inputSchema ? { inputSchema } : {}) };
}

function propertiesOf(schema: Record<string, unknown> | undefined): [string, Property][] {
  return Object.entries((schema?.["properties"] ?? {}) as Record<string, Property>);
}

/** MCP allows flat objects of simple values only, so each property is one field. */
function toForm(schema: Record<string, unknown> | undefined): InputSchema | undefined {
  const properties = propertiesOf(schema);
  if (properties.length === 0) return undefined;
  const required = new Set((schema?.["required"] ?? []) as string[]);
  const fields = properties
    .slice(0, LIMITS.fields)
    .map(([id, property]) => toField(id, property, required.has(id)));
  return { type: "form", fields };
}

function toField(id: string, property: Property, required: boolean): Field {
  const options = optionsOf(property);
  return {
    id,
    type: typeOf(property, options.length > 0),
    label: property.title ?? id,
    ...(property.description === undefined ? {} : { description: property.description }),
    ...(property.default === undefined ? {} : { defaultValue: property.default }),
    ...(options.length === 0 ? {} : { options }),
    ...(property.minimum === undefined ? {} : { min: property.minimum }),
    ...(property.maximum === undefined ? {} : { max: property.maximum }),
    ...(property.minLength === undefined ? {} : { minLength: property.minLength }),
    ...(property.maxLength === undefined ? {} : { maxLength: property.maxLength }),
    ...(property.type === "integer" ? { step: 1 } : {}),
    required,
  };
}

function typeOf({ type, format }: Property, hasOptions: boolean): Field["type"] {
  if (type === "array") return "multiselect";
  if (hasOptions) return "select";
  if (type === "boolean") return "boolean";
  if (type === "number" || type === "integer") return "number";
  if (format === "date") return "date";
  if (format === "date-time") return "datetime";
  return "text";
}

function optionsOf({ enum: values, enumNames, oneOf, items }: Property) {
  const titled = oneOf ?? items?.anyOf;
  if (titled) return titled.map((one) => ({ value: one.const, label: one.title ?? one.const }));
  return (values ?? items?.enum ?? []).map((value, index) => ({
    value,
    label: enumNames?.[index] ?? value,
  }));
}

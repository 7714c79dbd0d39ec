import type { FieldErrors } from "../../protocol/index.ts";

/** A property of what an MCP server asks for, which is a simple value or a list of choices. */
export interface Property {
  type?: string;
  title?: string;
  description?: string;
  format?: string;
  enum?: string[];
  enumNames?: string[];
  oneOf?: { const: string; title?: string }[];
  items?: { enum?: string[]; anyOf?: { const: string; title?: string }[] };
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** What is wrong with what was filled in, as far as a form of ours cannot say it itself. */
export function elicitedErrors(
  properties: [string, Property][],
  values: Record<string, unknown>,
): FieldErrors {
  return Object.fromEntries(
    properties.flatMap(([id, property]) => {
      const error = Object.hasOwn(values, id) ? errorOf(property, values[id]) : undefined;
      return error === undefined ? [] : [[id, error]];
    }),
  );
}

function errorOf({ format, minItems, maxItems }: Property, value: unknown): string | undefined {
  if (Array.isArray(value)) {
    if (minItems !== undefined && value.length < minItems) return `Choose at least ${minItems}.`;
    if (maxItems !== undefined && value.length > maxItems) return `Choose at most ${maxItems}.`;
  }
  if (typeof value !== "string" || value === "") return undefined;
  if (format === "email" && !isEmail(value)) return "This must be an e-mail address.";
  if (format === "uri" && !URL.canParse(value)) {
    return "This must be a whole address, such as https://example.com.";
  }
  return undefined;
}

/** What every server takes for one; whether anybody reads there, nobody can tell. */
function isEmail(value: string): boolean {
  const [local = "", domain = "", ...more] = value.split("@");
  const labels = domain.split(".");
  return (
    more.length === 0 &&
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/.test(local) &&
    !/^\.|\.\.|\.$/.test(local) &&
    labels.length > 1 &&
    labels.every((label) => /^[A-Za-z0-9-]{1,63}$/.test(label) && !/^-|-$/.test(label))
  );
}

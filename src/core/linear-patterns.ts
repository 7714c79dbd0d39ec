import { format } from "@cfworker/json-schema";
import { RE2JS } from "re2js";

/** Keywords whose values are data: what looks like a pattern in them is none. */
const DATA = new Set(["const", "enum", "default", "examples"]);
/** Keywords whose values are schemas by name: there a name is no keyword. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions"]);

const PREFIX = "linear:";

/**
 * A JSON Schema whose patterns run in linear time. The validator gives them to JavaScript's own
 * engine, where a careless pattern and a text made for it stop the whole server; a format of our
 * own takes their place. What only that engine can do (look-around, back-references) stays.
 */
export function withLinearPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withLinearPatterns);
  if (schema === null || typeof schema !== "object") return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    copy[key] = DATA.has(key) ? value : NAMED.has(key) ? eachOf(value) : withLinearPatterns(value);
  }
  const { pattern, allOf = [], ...rest } = copy;
  const linear = typeof pattern === "string" ? formatFor(pattern) : undefined;
  return linear ? { ...rest, allOf: [...(allOf as unknown[]), { format: linear }] } : copy;
}

/** The pattern that a format of ours stands for. */
export function patternOf(format: string): string | undefined {
  return format.startsWith(PREFIX) ? format.slice(PREFIX.length) : undefined;
}

function eachOf(schemas: unknown): unknown {
  if (schemas === null || typeof schemas !== "object") return schemas;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withLinearPatterns(schema)]),
  );
}

function formatFor(pattern: string): string | undefined {
  const name = PREFIX + pattern;
  if (Object.hasOwn(format, name)) return name;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    format[name] = (text) => compiled.matcher(text).find();
    return name;
  } catch {
    return undefined;
  }
}

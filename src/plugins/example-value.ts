type Schema = Record<string, unknown>;

/** A schema may refer to itself; its example must end somewhere. */
const DEEPEST = 6;

/** A value that fits a JSON Schema, as an example of it: the author's own, or the plainest. */
export function exampleOf(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isObject(schema) || depth > DEEPEST) return null;
  const { $ref, examples, enum: values, anyOf, oneOf } = schema;
  if (typeof $ref === "string") return exampleOf(at(root, $ref), root, depth + 1);
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  for (const given of ["default", "const"]) if (Object.hasOwn(schema, given)) return schema[given];
  if (Array.isArray(values)) return values[0];
  for (const forms of [anyOf, oneOf])
    if (Array.isArray(forms)) return exampleOf(forms[0], root, depth + 1);
  return ofType(typeOf(schema), schema, (one) => exampleOf(one, root, depth + 1));
}

function ofType(
  type: string | undefined,
  schema: Schema,
  inner: (schema: unknown) => unknown,
): unknown {
  switch (type) {
    case "object":
      return objectExample(schema, inner);
    case "array":
      return Number(schema["minItems"] ?? 0) === 0 && !isObject(schema["items"])
        ? []
        : [inner(schema["items"])];
    case "string":
      return "…".padEnd(Number(schema["minLength"] ?? 1), "…");
    case "number":
    case "integer":
      return Number(schema["minimum"] ?? schema["maximum"] ?? 1);
    case "boolean":
      return true;
    default:
      return null;
  }
}

/** What is required, and where nothing is, the first that there is. */
function objectExample(
  { properties, required }: Schema,
  inner: (schema: unknown) => unknown,
): Schema {
  if (!isObject(properties)) return {};
  const needed = Array.isArray(required) ? required.map(String) : [];
  const shown = needed.length > 0 ? needed : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(shown.map((name) => [name, inner(properties[name])]));
}

/** The type that a value has, the first if there are several; or what its other keywords imply. */
export function typeOf({ type, properties, items }: Schema): string | undefined {
  const [first] = [type].flat();
  if (typeof first === "string") return first;
  return properties ? "object" : items ? "array" : undefined;
}

/** The part of a schema that a `$ref` names. */
export function at(root: unknown, reference: string): unknown {
  let part = root;
  for (const name of reference.split("/").slice(1)) {
    part = isObject(part) ? part[decodeURIComponent(name)] : undefined;
  }
  return part;
}

export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

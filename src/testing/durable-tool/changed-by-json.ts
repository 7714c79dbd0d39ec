/**
 * Says what of a value would not come back from JSON as it is, and where; or nothing. A key whose
 * value is `undefined` may go missing: reading it gives the same.
 */
export function changedByJson(value: unknown, path = ""): string | undefined {
  const where = path === "" ? "" : ` at ${path}`;
  if (value === null || value === undefined) return undefined;
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `${value}${where}, which becomes null`;
    case "object":
      return Array.isArray(value) ? inList(value, path) : inObject(value, path, where);
    default:
      return `a ${typeof value}${where}, which JSON does not know`;
  }
}

function inList(list: unknown[], path: string): string | undefined {
  for (const [index, item] of list.entries()) {
    const at = `${path}[${index}]`;
    if (item === undefined) return `undefined at ${at}, which becomes null`;
    const changed = changedByJson(item, at);
    if (changed) return changed;
  }
  return undefined;
}

function inObject(value: object, path: string, where: string): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const name = value.constructor.name;
    return `a ${name}${where}, which becomes ${name === "Date" ? "text" : "a plain object"}`;
  }
  for (const [key, inner] of Object.entries(value)) {
    const changed = changedByJson(inner, path === "" ? key : `${path}.${key}`);
    if (changed) return changed;
  }
  return undefined;
}

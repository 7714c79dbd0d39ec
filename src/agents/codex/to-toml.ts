/** A value as TOML has it, on one line. */
export function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).map(([key, one]) => `${text(key)} = ${toToml(one)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  return typeof value === "string" ? text(value) : String(value);
}

/** JSON leaves one control character as it is that TOML does not take. */
function text(value: string): string {
  return JSON.stringify(value).replaceAll("\u007F", "\\u007F");
}

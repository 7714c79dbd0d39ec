/** Reads JSON objects, one a line; a line that is none was written by somebody else. */
export async function* objectsOf(
  lines: AsyncIterable<string>,
): AsyncGenerator<Record<string, unknown>> {
  for await (const line of lines) {
    const object = parseObject(line);
    if (object) yield object;
  }
}

export function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

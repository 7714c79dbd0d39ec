/** The words of a plain command line, with `"$NAME"` from `variables`. */
export function shellWords(line: string, variables: Record<string, string>): string[] {
  return line
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^"\$(\w+)"$/, (_all, name: string) => variables[name] ?? ""));
}

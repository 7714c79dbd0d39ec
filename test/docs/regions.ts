const MARKER =
  /^[ \t]*(?:\/\/|#|<!--|\{?\/\*)[ \t]*#(?<end>end)?region[ \t]+(?<name>[\w-]+)[ \t]*(?:-->|\*\/\}?)?[ \t]*$/;

/**
 * What a page shows of a file: all of it, or the part between `// #region name` and
 * `// #endregion name` without the indentation that its lines share. Marker lines are left out.
 *
 * @returns nothing if there is no such region
 */
export function shownOf(text: string, region?: string): string | undefined {
  const lines = text.replace(/\n$/, "").split("\n");
  if (region === undefined) return toText(lines.filter((line) => !MARKER.test(line)));
  const at = (end?: string) =>
    lines.findIndex((line) => {
      const marker = MARKER.exec(line)?.groups;
      return marker?.["name"] === region && marker["end"] === end;
    });
  const [first, last] = [at(), at("end")];
  if (first === -1 || last < first) return undefined;
  const inside = lines.slice(first + 1, last).filter((line) => !MARKER.test(line));
  const indents = inside.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const shared = Math.min(...indents);
  return toText(inside.map((line) => line.slice(shared)));
}

const toText = (lines: string[]) => lines.map((line) => `${line}\n`).join("");

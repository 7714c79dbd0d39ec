import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export const readPage = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The parts of a page under its headings of one level, by heading. */
export function sectionsOf(page: string, level: number): Map<string, string> {
  const sections = new Map<string, string>();
  let current: string | undefined;
  for (const line of withoutCode(page).split("\n")) {
    const [, marks = "", title = ""] = /^(#+) (.*)$/.exec(line) ?? [];
    if (marks.length === level) {
      if (sections.has(title)) throw new Error(`The heading "${title}" stands twice.`);
      current = title;
      sections.set(title, "");
    } else if (marks !== "" && marks.length < level) current = undefined;
    else if (current !== undefined) sections.set(current, `${sections.get(current)}${line}\n`);
  }
  return sections;
}

/** What stands between a heading, as it is written, and the next one of its level or above. */
export function sectionOf(page: string, heading: string): string {
  const lines = page.split("\n");
  const start = lines.indexOf(heading);
  if (start === -1) throw new Error(`There is no heading "${heading}".`);
  const level = heading.indexOf(" ");
  const isEnd = (line: string) => /^#+ /.test(line) && line.indexOf(" ") <= level;
  const length = lines.slice(start + 1).findIndex(isEnd);
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join("\n");
}

/** The cells of the rows of every table in a text, without heads. */
export function rowsOf(text: string): string[][] {
  const tables = text.split(/\n(?!\|)/).map((part) => part.split("\n"));
  return tables
    .map((lines) => lines.filter((line) => line.startsWith("|")))
    .flatMap((lines) => lines.slice(2))
    .map((line) => line.slice(1, line.lastIndexOf("|")).split(/(?<!\\)\|/))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll("\\|", "|")));
}

/** The blocks of code in a text. */
export function blocksOf(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"));
  return Array.from(blocks, ([, code = ""]) => code);
}

/** Comments in code are no headings. */
function withoutCode(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/^#/gm, " #"));
}

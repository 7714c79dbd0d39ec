import { visibleText } from "../client/index.ts";

/** Text of others in its lines, with nothing hidden in it. A tab is shown as four spaces. */
export function visibleLines(text: string): string[] {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => visibleText(line.replaceAll("\t", "    ")));
}

import { expect, test } from "vitest";
import { readPage, sectionsOf } from "../support/markdown.ts";
import { sourceFiles } from "../support/source-files.ts";

const page = readPage("docs/guide/troubleshooting.md");
const quoted = Array.from(page.matchAll(/^> (.*)$/gm), ([, sentence = ""]) => sentence);

/** The sources as the page would quote them: one sentence a line, with `…` for what differs. */
const sentences = sourceFiles().map(({ text }) => asQuoted(text));

test("the page has enough to find something in", () => {
  expect(sectionsOf(page, 3).size).toBeGreaterThan(15);
  expect(new Set(quoted).size).toBe(quoted.length);
});

test.each(quoted)("the product still says: %s", (sentence) => {
  expect(sentences.some((text) => text.includes(sentence))).toBe(true);
});

function asQuoted(source: string): string {
  let text = source.replaceAll("\\`", "`").replaceAll(/["`] \+\s*["`]/g, "");
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replaceAll(/\$\{[^{}]*\}/g, "…");
  }
  return text.replaceAll(/…+/g, "…");
}

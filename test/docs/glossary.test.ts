import { expect, test } from "vitest";
import { readPage } from "../support/markdown.ts";

test("every word that the core defines is in the glossary, with the same meaning", () => {
  const [, terminology = ""] =
    /Terminology[^\n]*\n([\s\S]*?)\*\//.exec(readPage("src/core/ports.ts")) ?? [];
  const words = Array.from(terminology.matchAll(/^ \* {3}(\w+(?: \w+)?) {2,}(.*)$/gm));
  expect(words.length).toBeGreaterThan(8);
  const page = readPage("docs/glossary.md");
  for (const [, word = "", meaning = ""] of words) {
    const [, entry] = new RegExp(`^- \\*\\*${word}\\*\\*(.*)$`, "m").exec(page) ?? [];
    expect(entry, `the glossary has no entry "${word}"`).toBeDefined();
    // The page may say more and explain further; the first words are the same.
    const [beginning = ""] = meaning.split(/[;:(,]/);
    expect(entry?.replaceAll("*", "").toLowerCase()).toContain(beginning.trim().toLowerCase());
  }
});

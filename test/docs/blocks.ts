/** What a comment before a block says of it: `<!-- file: examples/x/index.js -->`. */
export interface Note {
  word: string;
  text: string;
}

/** A fenced block of a page. */
export interface Block {
  /** Where its fence opens; the first line of a page is 1. */
  line: number;
  /** Empty where the fence names none. */
  language: string;
  /** Without the indentation of its fence, and with a newline at its end. */
  code: string;
  /** False if the page ends before its fence does. */
  isClosed: boolean;
  /** The comments right before it. */
  notes: Note[];
}

const FENCE = /^(?<indent>\s*)(?<marks>`{3,}|~{3,})\s*(?<language>[^\s`]*)/;
const NOTE = /^\s*<!--\s*(?<word>file|run by|shown|test)\b:?\s*(?<text>.*?)\s*-->\s*$/;

/** The fenced blocks of a page, in order. */
export function blocksIn(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  let notes: Note[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const { indent = "", marks = "", language = "" } = FENCE.exec(line)?.groups ?? {};
    if (marks === "") {
      const { word = "", text = "" } = NOTE.exec(line)?.groups ?? {};
      if (word !== "") notes.push({ word, text });
      else if (line.trim() !== "") notes = [];
      continue;
    }
    const end = lines.findIndex((one, index) => index > at && one.trim() === marks);
    const inside = lines.slice(at + 1, end === -1 ? undefined : end);
    const code = inside.map((one) => `${withoutIndent(one, indent.length)}\n`).join("");
    blocks.push({ line: at + 1, language, code, isClosed: end !== -1, notes });
    notes = [];
    at += inside.length + 1;
  }
  return blocks;
}

const withoutIndent = (line: string, width: number) =>
  line.slice(Math.min(width, line.length - line.trimStart().length));

/** A page with its blocks blanked out and its lines where they were, to read what is around them. */
export function withoutBlocks(markdown: string): string {
  const lines = markdown.split("\n");
  for (const { line, code } of blocksIn(markdown)) {
    lines.fill("", line - 1, line + code.split("\n").length);
  }
  return lines.join("\n");
}

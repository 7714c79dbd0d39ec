/** Roughly the words of a shell: enough to tell a program from a path that only holds its name. */
export function shellWords(text: string): string[] {
  return text.split(/[\s"'`()<>\\]+/).filter(Boolean);
}

/** What may stand in a word without quotes and means itself in every shell. */
const PLAIN = /^[\w@%+:,./=-]$/;

/** Control characters, without those that a text has between lines and words; and halves of characters. */
const NO_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}]/u;

/**
 * The words of a command line that is one simple command made of literal text: exactly what a shell
 * would give its program. Nothing where anything is left to the shell, or might be: substitutions,
 * patterns, redirections, lists, assignments, comments, and whatever shells read differently.
 */
export function literalWords(text: string): string[] | undefined {
  if (NO_TEXT.test(text)) return undefined;
  const words: string[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const word = readWord(text, at);
    if (!word) return undefined;
    words.push(word.value);
    at = word.end;
  }
  return words;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

interface Piece {
  value: string;
  end: number;
}

function readWord(text: string, from: number): Piece | undefined {
  // A shell may take it for the path of a program, and a word before it for an assignment.
  if (text[from] === "=") return undefined;
  let value = "";
  let at = from;
  while (at < text.length && text[at] !== " " && text[at] !== "\t") {
    const piece = readPiece(text, at);
    if (!piece) return undefined;
    value += piece.value;
    at = piece.end;
  }
  return { value, end: at };
}

function readPiece(text: string, at: number): Piece | undefined {
  const first = text[at] ?? "";
  if (first === "'") return readSingleQuoted(text, at);
  if (first === '"') return readDoubleQuoted(text, at);
  if (text.startsWith(String.raw`\'`, at)) return { value: "'", end: at + 2 };
  return PLAIN.test(first) ? { value: first, end: at + 1 } : undefined;
}

function readSingleQuoted(text: string, at: number): Piece | undefined {
  const end = text.indexOf("'", at + 1);
  return end < 0 ? undefined : { value: text.slice(at + 1, end), end: end + 1 };
}

/** What a backslash in double quotes takes its meaning from. */
const ESCAPED = new Set(['"', "\\", "$", "`"]);

function readDoubleQuoted(text: string, from: number): Piece | undefined {
  let value = "";
  for (let at = from + 1; at < text.length; at++) {
    const one = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (one === '"') return { value, end: at + 1 };
    if (one === "$" || one === "`" || one === "!") return undefined;
    if (one === "\\" && (next === "\n" || next === "!")) return undefined;
    if (one === "\\" && ESCAPED.has(next)) at++;
    value += text[at];
  }
  return undefined;
}

import { Lexer, type Token } from "marked";
import remend from "remend";

export interface Block {
  /** Where it begins in the text: its key, because text only ever grows at its end. */
  at: number;
  token: Token;
}

/** Longer text is shown as it is: reading it as Markdown would hold the page up. */
const LONGEST = 200_000;

/**
 * Reads Markdown that grows. What stands before the last block cannot change any more, so each call
 * reads only the last block again, and gives the very same objects for those before it.
 */
export class BlockParser {
  #text = "";
  #settled: Block[] = [];
  #settledTo = 0;

  parse(text: string, streaming: boolean): Block[] {
    if (text.length > LONGEST) return [{ at: 0, token: plain(text) }];
    if (!text.startsWith(this.#text.slice(0, this.#settledTo))) {
      this.#settled = [];
      this.#settledTo = 0;
    }
    this.#text = text;
    const tail = text.slice(this.#settledTo);
    const blocks = place(lex(tail), this.#settledTo);
    const last = blocks.pop();
    if (!last) return this.#settled;
    this.#settled = [...this.#settled, ...blocks];
    this.#settledTo = last.at;
    if (!streaming) return [...this.#settled, last];
    // A mark that is still open would be drawn as text, and jump when its end arrives.
    const mended = remend(text.slice(last.at), { linkMode: "text-only", htmlTags: false });
    return [...this.#settled, ...place(lex(mended), last.at)];
  }
}

function place(tokens: Token[], from: number): Block[] {
  const blocks: Block[] = [];
  let at = from;
  for (const token of tokens) {
    if (token.type !== "space") blocks.push({ at, token });
    at += token.raw.length;
  }
  return blocks;
}

function lex(text: string): Token[] {
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch {
    // Markdown nested without end overflows the lexer's stack.
    return [plain(text)];
  }
}

function plain(text: string): Token {
  return { type: "plain", raw: text, text };
}

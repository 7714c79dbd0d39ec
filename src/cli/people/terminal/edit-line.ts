import { visibleText } from "../../../client/index.ts";
import { widthOf } from "../../width.ts";
import type { TerminalUi } from "./terminal-ui.ts";
import type { Key } from "./keys.ts";
import type { View } from "./screen.ts";

export interface LineQuestion {
  above: string[];
  below: string[];
  value?: string;
  /** Is never shown. */
  secret?: boolean;
  /** Alt+Enter, or a paste, may put line breaks into it. */
  multiline?: boolean;
  signal: AbortSignal;
}

interface Editing {
  characters: string[];
  at: number;
}

const PROMPT = "  › ";
const INDENT = "    ";

/** Asks for a text. Enter gives it; up and back-tab go back, Escape goes away. */
export async function editLine(
  { screen, keyboard }: TerminalUi,
  { above, below, value = "", secret = false, multiline = false, signal }: LineQuestion,
): Promise<{ text: string } | "back" | "escape"> {
  const characters = Array.from(value);
  let editing: Editing = { characters, at: characters.length };
  for (;;) {
    // Of a text that comes in one piece, not each character is drawn.
    if (!keyboard.hasMore) {
      screen.show(() => draw(editing, { above, below, secret, columns: screen.columns }));
    }
    const key = await keyboard.next(signal);
    if (key.name === "enter") return { text: editing.characters.join("") };
    if (key.name === "escape") return "escape";
    if (key.name === "back-tab" || key.name === "up") return "back";
    editing = edit(editing, key, multiline);
  }
}

function edit({ characters, at }: Editing, key: Key, multiline: boolean): Editing {
  const without = (from: number, to: number): Editing => ({
    characters: characters.toSpliced(from, to - from),
    at: from,
  });
  const insert = (text: string): Editing => {
    const added = Array.from(text);
    return { characters: characters.toSpliced(at, 0, ...added), at: at + added.length };
  };
  switch (key.name) {
    case "text":
      return insert(key.text);
    case "paste": {
      const text = key.text.replaceAll(/\r\n?/g, "\n");
      return insert(multiline ? text : text.replaceAll("\n", " "));
    }
    case "newline":
      return multiline ? insert("\n") : { characters, at };
    case "backspace":
      return at > 0 ? without(at - 1, at) : { characters, at };
    case "delete":
      return { ...without(at, at + 1), at };
    case "left":
      return { characters, at: Math.max(0, at - 1) };
    case "right":
      return { characters, at: Math.min(characters.length, at + 1) };
    case "home":
      return { characters, at: 0 };
    case "end":
      return { characters, at: characters.length };
    case "erase-line":
      return without(0, at);
    case "erase-word": {
      const before = characters.slice(0, at).join("");
      return without(Array.from(before.replace(/\S+\s*$/, "")).length, at);
    }
    default:
      return { characters, at };
  }
}

function draw(
  { characters, at }: Editing,
  view: { above: string[]; below: string[]; secret: boolean; columns: number },
): View {
  const { above, below, secret, columns } = view;
  const rows = [PROMPT];
  let cursor = { row: 0, column: PROMPT.length };
  const shown = secret ? [] : characters;
  for (const [index, character] of [...shown, ""].entries()) {
    const row = rows.at(-1) ?? "";
    if (index === at) cursor = { row: rows.length - 1, column: widthOf(row) };
    const text = visibleText(character);
    if (character === "\n") rows.push(INDENT);
    else if (widthOf(row) + widthOf(text) >= columns) rows.push(INDENT + text);
    else rows[rows.length - 1] = row + text;
  }
  if (secret) rows[0] += "(what you type is not shown)";
  return {
    lines: [...above, ...rows, ...below],
    cursor: { row: above.length + cursor.row, column: cursor.column },
  };
}

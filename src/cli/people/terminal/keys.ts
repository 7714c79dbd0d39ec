/** One key, or one pasted text. */
export interface Key {
  name:
    | "text"
    | "paste"
    | "enter"
    | "newline"
    | "tab"
    | "back-tab"
    | "backspace"
    | "delete"
    | "escape"
    | "interrupt"
    | "up"
    | "down"
    | "left"
    | "right"
    | "home"
    | "end"
    | "erase-line"
    | "erase-word"
    | "unknown";
  /** Of text: one character. Of a paste: all of it. */
  text: string;
}

const NAMED: Record<string, Key["name"]> = {
  "\r": "enter",
  "\n": "enter",
  "\u001B\r": "newline",
  "\u001B\n": "newline",
  "\t": "tab",
  "\u001B[Z": "back-tab",
  "\u007F": "backspace",
  "\b": "backspace",
  "\u001B[3~": "delete",
  "\u0003": "interrupt",
  "\u0015": "erase-line",
  "\u0017": "erase-word",
  "\u0001": "home",
  "\u0005": "end",
  "\u001B[A": "up",
  "\u001B[B": "down",
  "\u001B[C": "right",
  "\u001B[D": "left",
  "\u001BOA": "up",
  "\u001BOB": "down",
  "\u001BOC": "right",
  "\u001BOD": "left",
  "\u001B[H": "home",
  "\u001B[F": "end",
  "\u001B[1~": "home",
  "\u001B[4~": "end",
};

const PASTE_BEGINS = "\u001B[200~";
const PASTE_ENDS = "\u001B[201~";
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /^\u001B(?:\[[\d;?]*[ -/]*[@-~]|O[A-Z]|[\r\n])/;
// oxlint-disable-next-line no-control-regex
const UNFINISHED = /^\u001B\[[\d;?]*$/;

/**
 * Reads what a terminal sends. A sequence, or a paste, that has not ended yet is given back as
 * `unread`, to stand before what comes next.
 */
export function parseKeys(input: string): { keys: Key[]; unread: string } {
  const keys: Key[] = [];
  let unread = input;
  while (unread !== "") {
    if (unread.startsWith(PASTE_BEGINS)) {
      const end = unread.indexOf(PASTE_ENDS);
      if (end === -1) return { keys, unread };
      keys.push({ name: "paste", text: unread.slice(PASTE_BEGINS.length, end) });
      unread = unread.slice(end + PASTE_ENDS.length);
      continue;
    }
    if (UNFINISHED.test(unread)) return { keys, unread };
    const [piece = ""] = SEQUENCE.exec(unread) ?? [
      String.fromCodePoint(unread.codePointAt(0) ?? 0),
    ];
    keys.push(toKey(piece));
    unread = unread.slice(piece.length);
  }
  return { keys, unread };
}

function toKey(piece: string): Key {
  const name = NAMED[piece];
  if (name) return { name, text: "" };
  if (piece === "\u001B") return { name: "escape", text: "" };
  // Everything else that is no character: function keys, other control characters.
  return /^\p{Cc}/u.test(piece) ? { name: "unknown", text: "" } : { name: "text", text: piece };
}
